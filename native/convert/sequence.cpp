// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/files/files.h"
#include "convert/convert.h"
#include "formats/registry.h"
#include "model/clip/clip.h"
#include "rig/exchange/exchange.h"

namespace animbridge {

namespace {

/// The beginning of a file, on its skeleton.
struct Still {
    ClipMade made;
    std::vector<Transform> local{};
};

/// The members of the options that the table has.
Json options_in(std::span<const Option> table, const Json& options) {
    Json own = Json::object();
    for (const auto& [name, value] : options.items()) {
        if (has_option(table, name)) {
            own[name] = value;
        }
    }
    return own;
}

Result<Still> still_of(const std::string& path, const ConvertOptions& options) {
    TRY(const auto bytes, read_input(path, options.input_format));
    TRY(const auto document, read_document(bytes, options.input_format, path, options.reading));
    const Format& format = document->format();
    if (format.clip.to_clip == nullptr) {
        return fail(in_file({ErrorCode::invalid_argument, "found " + std::string(format.noun) +
                                                              "; allowed are poses and animations of joints"},
                            path));
    }
    const Json own = options_in(options_of_call(format, "to_clip"), options.bridge);
    auto made = format.clip.to_clip(*document, own);
    if (!made) {
        return fail(in_file(std::move(made.error()), path));
    }
    ClipPoser poser(made->clip);
    poser.pose(0.0);
    return Still{*std::move(made), poser.local()};
}

bool same_joints(const Skeleton& a, const Skeleton& b) {
    return std::ranges::equal(a.nodes, b.nodes, [](const Node& one, const Node& other) {
        return one.name == other.name && one.parent == other.parent;
    });
}

/// Keys of every joint and channel that one of the poses keys.
class Keys {
public:
    Keys(Clip& clip, bool is_smooth) : clip_(clip), is_smooth_(is_smooth) {}

    void claim(const Clip& pose) {
        for (const Track& track : pose.tracks) {
            if (track.channel != Channel::property) {
                tracks_.try_emplace({track.node, track.channel}, Track{track.node, track.channel});
            }
        }
    }
    void add(const Still& still, double seconds) {
        for (auto& [place, track] : tracks_) {
            const Transform& local = still.local[place.first];
            if (place.second == Channel::translation) {
                const glm::dvec3& p = local.translation;
                track.add_key(seconds, std::array{p.x, p.y, p.z});
                continue;
            }
            const bool turns = track.key_count() > 0 &&
                               glm::dot(track.rotation(track.key_count() - 1), local.rotation) < 0.0;
            const glm::dquat q = turns ? -local.rotation : local.rotation;
            track.add_key(seconds, std::array{q.w, q.x, q.y, q.z});
        }
    }
    void finish() {
        for (auto& [place, track] : tracks_) {
            if (is_smooth_) {
                make_smooth(track);
            }
            clip_.tracks.push_back(std::move(track));
        }
    }

private:
    /// Level handles a third of the way to the neighbours.
    static void make_smooth(Track& track) {
        const auto gap = [&](std::size_t key) {
            return key + 1 < track.key_count() ? (track.times[key + 1] - track.times[key]) / 3.0 : 0.0;
        };
        track.interpolation.assign(track.key_count(), Interpolation::bezier);
        for (std::size_t key = 0; key < track.key_count(); ++key) {
            const Handles level{key == 0 ? 0.0 : -gap(key - 1), 0.0, gap(key), 0.0};
            track.handles.insert(track.handles.end(), track.width(), level);
        }
    }

    Clip& clip_;
    bool is_smooth_;
    std::map<std::pair<std::size_t, Channel>, Track> tracks_{};
};

Result<void> require_times(std::span<const TimedFile> files) {
    if (files.size() < 2) {
        return fail(ErrorCode::invalid_argument,
                    "found " + counted(files.size(), "file") + "; allowed are two or more, as FILE@SECONDS");
    }
    for (std::size_t i = 1; i < files.size(); ++i) {
        if (files[i].seconds <= files[i - 1].seconds) {
            return fail(ErrorCode::invalid_argument, "found " + shown_number(files[i].seconds) + " s after " +
                                                         shown_number(files[i - 1].seconds) +
                                                         " s; allowed are times that ascend");
        }
    }
    return {};
}

}  // namespace

Result<Conversion> sequence_file(std::span<const TimedFile> files, const std::string& output,
                                 const ConvertOptions& options, bool is_smooth) {
    TRY_VOID(require_times(files));
    const Format* const to = output_format(extension_of(output), options.to);
    if (to == nullptr || to->clip.from_clip == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    output + ": allowed are files with joints, such as .anim, .bvh, .glb and .fbx");
    }
    std::vector<Still> stills;
    for (const TimedFile& file : files) {
        TRY(auto still, still_of(file.path, options));
        if (!stills.empty() && !same_joints(stills.front().made.clip.skeleton, still.made.clip.skeleton)) {
            return fail(in_file({ErrorCode::invalid_argument,
                                 "has other joints than " + files.front().path + "; allowed are the same"},
                                file.path));
        }
        stills.push_back(std::move(still));
    }
    Clip clip;
    clip.skeleton = stills.front().made.clip.skeleton;
    clip.duration_seconds = files.back().seconds;
    Keys keys(clip, is_smooth);
    std::vector<std::string> left_out;
    for (const Still& still : stills) {
        keys.claim(still.made.clip);
        for (const std::string& item : still.made.left_out) {
            if (std::ranges::find(left_out, item) == left_out.end()) {
                left_out.push_back(item);
            }
        }
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        keys.add(stills[i], files[i].seconds);
    }
    keys.finish();
    const Json own = options_in(options_of_call(*to, "from_clip"), options.bridge);
    TRY(auto made, to->clip.from_clip({clip, own, {}, nullptr, std::move(left_out)}));
    Json report = std::move(made.report);
    TRY(const auto document, named_for(std::move(made.document), output, report, options.reading));
    TRY(Json refused, refusals(*document, output, made.only_reported));
    TRY(const Bytes bytes, document->write(options.reading));
    TRY_VOID(write_file(output, bytes));
    report["output"] = json_text(output);
    report["output_format"] = to->id;
    report["bytes_out"] = bytes.size();
    const bool is_refused = !refused.empty();
    report["refused"] = std::move(refused);
    return Conversion{.report = std::move(report), .is_refused = is_refused};
}

}  // namespace animbridge
