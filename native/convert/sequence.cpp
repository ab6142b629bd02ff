// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/files/files.h"
#include "convert/convert.h"
#include "convert/retarget/retarget.h"
#include "formats/registry.h"
#include "model/clip/clip.h"
#include "rig/exchange/exchange.h"

namespace animbridge {

namespace {

/// The beginning of a file, on its skeleton.
struct Still {
    Clip clip;
    std::vector<std::string> left_out{};
    std::vector<std::string> warnings{};
    std::vector<Transform> local{};
};

/// The members of the options that the table has, and that `others` lacks.
Json options_in(std::span<const Option> table, const Json& options,
                std::span<const Option> others = std::span<const Option>()) {
    Json own = Json::object();
    for (const auto& [name, value] : options.items()) {
        if (has_option(table, name) && !has_option(others, name)) {
            own[name] = value;
        }
    }
    return own;
}

/// The document's motion in its own axes.
Result<Still> own_clip(const AnyDocument& document, const ConvertOptions& options) {
    const Format& format = document.format();
    const Json own = options_in(options_of_call(format, "to_clip"), options.bridge);
    return format.clip.to_clip(document, at_body_size(format, own)).map([](ClipMade made) {
        if (!made.size_warning.empty()) {
            made.warnings.push_back(std::move(made.size_warning));
        }
        return Still{std::move(made.clip), std::move(made.left_out), std::move(made.warnings)};
    });
}

/// The motion as animbridge convert brings it onto the skeleton that all files of the target have.
Result<Still> clip_on_target(const NamedBytes& file, const Format& format, const Format& to,
                             const std::string& output, const ConvertOptions& options) {
    const Bridge* const bridge = find_bridge(format.id, to.id);
    const auto table = bridge == nullptr ? options_of_call(format, "to_clip") : bridge->options();
    ConvertOptions one = options;
    one.bridge = options_in(table, options.bridge, options_of_call(to, "from_clip"));
    TRY(const auto converted, converted_file(file.bytes, file.path, output, one));
    TRY(const auto document, read_document(converted.bytes, to.id, file.path, ReadOptions()));
    TRY(auto still, own_clip(*document, ConvertOptions()));
    const auto texts_of = [&](const char* member) {
        return texts_from_json(converted.report.value(member, Json::array()));
    };
    still.left_out = texts_of("left_out");
    still.warnings = texts_of("warnings");
    return still;
}

Result<Still> still_of(const std::string& path, const Format& to, const std::string& output,
                       const ConvertOptions& options) {
    TRY(const auto bytes, read_input(path, options.input_format));
    TRY(const auto document, read_document(bytes, options.input_format, path, options.reading));
    const Format& format = document->format();
    if (format.clip.to_clip == nullptr) {
        return fail(in_file({ErrorCode::invalid_argument, "found " + std::string(format.noun) +
                                                              "; allowed are poses and animations of joints"},
                            path));
    }
    const bool is_own = &format == &to || to.clip.own_skeleton == nullptr;
    auto still = is_own ? own_clip(*document, options).map_error([&](Error error) {
        return in_file(std::move(error), path);
    })
                        : clip_on_target({path, bytes}, format, to, output, options);
    return still.map([](Still made) {
        ClipPoser poser(made.clip);
        poser.pose(0.0);
        made.local = poser.local();
        return made;
    });
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
            return fail(
                in_file({ErrorCode::invalid_argument, "found " + shown_number(files[i].seconds) +
                                                          " s after " + shown_number(files[i - 1].seconds) +
                                                          " s; allowed are times that ascend"},
                        files[i].path));
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
        TRY(auto still, still_of(file.path, *to, output, options));
        if (!stills.empty() && !same_joints(stills.front().clip.skeleton, still.clip.skeleton)) {
            return fail(in_file({ErrorCode::invalid_argument,
                                 "has other joints than " + files.front().path + "; allowed are the same"},
                                file.path));
        }
        stills.push_back(std::move(still));
    }
    Clip clip;
    clip.skeleton = stills.front().clip.skeleton;
    clip.duration_seconds = files.back().seconds;
    Keys keys(clip, is_smooth);
    std::vector<std::string> left_out;
    Json warnings = Json::array();
    for (std::size_t i = 0; i < files.size(); ++i) {
        keys.claim(stills[i].clip);
        for (const std::string& item : stills[i].left_out) {
            if (std::ranges::find(left_out, item) == left_out.end()) {
                left_out.push_back(item);
            }
        }
        for (const std::string& warning : stills[i].warnings) {
            warnings.push_back(json_text(files[i].path + ": " + warning));
        }
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        keys.add(stills[i], files[i].seconds);
    }
    keys.finish();
    const auto table = options_of_call(*to, "from_clip");
    Json own = options_in(table, options.bridge);
    if (has_option(table, "encoder") && !own.contains("encoder")) {
        own["encoder"] = "nearest";  // the poses have codes already
    }
    TRY(auto made, to->clip.from_clip({clip, own, {}, nullptr, std::move(left_out)}));
    Json report = std::move(made.report);
    for (const Json& warning : report.value("warnings", Json::array())) {
        warnings.push_back(warning);
    }
    report["warnings"] = std::move(warnings);
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
