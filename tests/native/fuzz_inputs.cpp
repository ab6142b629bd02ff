// SPDX-License-Identifier: MIT
#include "fuzz_inputs.h"

#include <animbridge/animbridge.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/json.h"
#include "bvh_invariants.h"
#include "formats/bvh/json.h"
#include "formats/oban/json.h"
#include "formats/sl_anim/check.h"
#include "formats/sl_anim/json.h"
#include "invariants.h"
#include "oban_invariants.h"

namespace animbridge::test {

namespace {

/// Values off the front of the input; zeros once it is used up.
class Source {
public:
    explicit Source(ByteView bytes) : bytes_(bytes) {}

    template <typename T>
    T take() {
        T value{};
        const std::size_t size = std::min(sizeof(T), bytes_.size());
        if (size > 0) {
            std::memcpy(&value, bytes_.data(), size);
        }
        bytes_ = bytes_.subspan(size);
        return value;
    }
    /// Small numbers most of the time, any number now and then.
    template <typename T>
    T pick(std::initializer_list<T> usual) {
        const auto choice = take<std::uint8_t>();
        return choice < 240 ? *(usual.begin() + choice % usual.size()) : take<T>();
    }
    [[nodiscard]] bool empty() const { return bytes_.empty(); }

private:
    ByteView bytes_;
};

constexpr std::array<const char*, 10> bone_names = {"mPelvis", "mTorso",    "mChest", "hip", "mWristLeft",
                                                    "L_HAND",  "Left Hand", "Bone",   "",    "\xff"};

/// An armature of up to four bones.
struct FuzzArmature {
    std::string names;
    std::vector<std::int32_t> parents;
    std::vector<float> matrices;
    std::vector<std::uint8_t> flags;
    std::vector<std::uint8_t> channels;
    ab_armature view{};

    explicit FuzzArmature(Source& source) {
        const int bones = source.take<std::uint8_t>() % 5;
        for (int i = 0; i < bones; ++i) {
            names += bone_names.at(source.take<std::uint8_t>() % bone_names.size());
            names += '\0';
            parents.push_back(source.pick<std::int32_t>({-1, i - 1, 0}));
            flags.push_back(source.take<std::uint8_t>());
            for (int c = 0; c < 16; ++c) {
                matrices.push_back(source.pick<float>({c % 5 == 0 ? 1.0F : 0.0F}));
            }
        }
        view.struct_size = sizeof(view);
        view.bone_count = static_cast<std::uint32_t>(bones);
        view.names = names.data();
        view.names_size = names.size();
        view.parents = parents.data();
        view.rest_matrices = matrices.data();
        view.flags = flags.data();
        view.facing = source.pick<std::int32_t>({0, 1, 2, 3, 4});
        // Each bone in a mode of its own, or all in quaternions.
        for (const std::uint8_t flag : flags) {
            channels.push_back(static_cast<std::uint8_t>(flag / 16 % 6 + AB_CHANNEL_ROTATION_XYZ));
        }
        view.rotation_channels = bones > 0 && flags.front() % 32 >= 16 ? channels.data() : nullptr;
    }
};

/// One F-curve of up to eight keys.
struct FuzzCurve {
    std::vector<float> co;
    std::vector<float> left;
    std::vector<float> right;
    std::vector<std::uint8_t> interpolation;
    std::vector<std::uint8_t> inserted;
    ab_curve view{};

    explicit FuzzCurve(Source& source) {
        const std::size_t keys = source.take<std::uint8_t>() % 9U;
        float frame = source.pick<float>({0.0F, 1.0F, -5.0F});
        for (std::size_t i = 0; i < keys; ++i) {
            const auto value = source.pick<float>({0.0F, 1.0F, -0.5F, 0.7F, 1e-20F});
            co.insert(co.end(), {frame, value});
            left.insert(left.end(), {frame - source.pick<float>({0.0F, 1.0F, 30.0F}),
                                     value + source.pick<float>({0.0F, 3.0F})});
            right.insert(right.end(), {frame + source.pick<float>({0.0F, 1.0F, 30.0F}),
                                       value - source.pick<float>({0.0F, 3.0F})});
            interpolation.push_back(source.pick<std::uint8_t>({0, 1, 2}));
            inserted.push_back(source.take<std::uint8_t>() & 1U);
            frame += source.pick<float>({0.25F, 1.0F, 10.0F, 1e-4F, 0.0F});
        }
        view.struct_size = sizeof(view);
        view.bone = source.pick<std::int32_t>({0, 1, 2});
        view.channel = source.pick<std::int32_t>({0, 1, 1, 2, 3, 4, 5, 6, 7, 8});
        view.component = source.pick<std::int32_t>({0, 1, 2, 3});
        view.key_count = static_cast<std::uint32_t>(keys);
        const auto shape = source.take<std::uint8_t>();
        view.unchanged = (shape & 15U) == 0 ? 1 : 0;
        view.co = co.data();
        view.interpolation = (shape & 16U) != 0 ? interpolation.data() : nullptr;
        view.handle_left = (shape & 32U) != 0 ? left.data() : nullptr;
        view.handle_right = (shape & 64U) != 0 ? right.data() : nullptr;
        view.inserted = (shape & 128U) != 0 ? inserted.data() : nullptr;
    }
};

struct Free {
    void operator()(ab_document* document) const { ab_document_free(document); }
    void operator()(ab_buffer* buffer) const { ab_buffer_free(buffer); }
};
using DocumentHandle = std::unique_ptr<ab_document, Free>;
using BufferHandle = std::unique_ptr<ab_buffer, Free>;

DocumentHandle read(ByteView bytes) {
    ab_document* document = nullptr;
    ab_document_read(bytes.data(), bytes.size(), "sl_anim", nullptr, &document, nullptr);
    return DocumentHandle(document);
}

/// A file to change: two joints, one key each, the rest of the header from the input.
DocumentHandle take_template(Source& source) {
    if (source.take<std::uint8_t>() % 2 == 0) {
        return nullptr;
    }
    sl_anim::Document document;
    document.version =
        source.take<std::uint8_t>() % 4 == 0 ? sl_anim::Version::legacy : sl_anim::Version::coded;
    document.duration = RawFloat(source.pick<float>({0.0F, 1.0F, 2.5F, 60.0F, -1.0F}));
    document.loop = source.take<std::uint8_t>() & 1;
    document.loop_out_point = RawFloat(source.pick<float>({1.0F, 0.0F}));
    for (const char* const name : {"mTorso", "hip"}) {
        sl_anim::Joint joint{name, 0, {}, {}};
        if (document.version == sl_anim::Version::coded) {
            joint.rotation.coded = {source.take<sl_anim::CodedKey>(), source.take<sl_anim::CodedKey>()};
        } else {
            joint.rotation.legacy = {source.take<sl_anim::LegacyKey>(), source.take<sl_anim::LegacyKey>()};
        }
        document.joints.push_back(joint);
    }
    return read(sl_anim::write(document));
}

void check_export(const ab_document* document, const ab_buffer* report) {
    ab_buffer* written = nullptr;
    require(ab_document_write(document, &written, nullptr) == AB_OK,
            "an exported document cannot be written");
    const BufferHandle owner(written);
    const ByteView bytes(ab_buffer_data(written), ab_buffer_size(written));
    require(check_bytes(bytes, Effort::full), "an exported document does not read back");
    const auto findings = sl_anim::check(*sl_anim::read(bytes), {sl_anim::Level::playback, {}});
    require(!any_rejected(findings), "an export that the viewer refuses");
    const ByteView text(ab_buffer_data(report), ab_buffer_size(report));
    const auto json = parse_json(text_of(text));
    require(json.has_value(), "the report is no JSON");
    for (const char* const key : {"max_rotation_error_degrees", "max_position_error_mm"}) {
        require(json->at(key).is_number(), "a measured error is no number");
    }
}

}  // namespace

void try_sl_anim_read(ByteView bytes) { check_bytes(bytes, Effort::full); }

void try_json(ByteView bytes) {
    const auto json = parse_json(text_of(bytes));
    if (!json) {
        require(json.error().code == ErrorCode::bad_value && is_utf8(json.error().message()),
                "a parse error that is none");
        return;
    }
    const auto again = parse_json(print_json(*json));
    require(again.has_value() && *again == *json, "printed JSON reads back to something else");
    if (const auto bvh = bvh::from_json(*json)) {
        check_bvh_document(*bvh, Effort::full);
    } else {
        require(is_utf8(bvh.error().message()) && !bvh.error().reason.empty(),
                "a refused BVH without a reason");
    }
    if (const auto oban = oban::from_json(*json)) {
        check_oban_document(*oban, Effort::full);
    } else {
        require(is_utf8(oban.error().message()) && !oban.error().reason.empty(),
                "a refused OBAN without a reason");
    }
    const auto document = sl_anim::from_json(*json);
    if (!document) {
        require(document.error().code == ErrorCode::bad_value && !document.error().reason.empty(),
                "a refused document without a reason");
        require(is_utf8(document.error().message()), "an error that is not UTF-8");
        return;
    }
    check_document(*document, Effort::full);
    check_bytes(sl_anim::write(*document), Effort::quick);
}

void try_curves(ByteView bytes) {
    Source source(bytes);
    const ab_timing timing{sizeof(ab_timing), 0, source.pick<double>({24.0, 5.0, 100.0, 1.0}),
                           source.pick<double>({0.0, 1.0, -10.0})};
    const FuzzArmature armature(source);
    const DocumentHandle base = take_template(source);
    ab_sl_header header{sizeof(ab_sl_header),
                        source.pick<std::int32_t>({2, 0, -1}),
                        source.pick<std::int32_t>({-1, 3}),
                        source.take<std::uint8_t>() & 1,
                        source.pick<float>({0.0F, 0.5F}),
                        source.pick<float>({1.0F, 2.0F}),
                        source.pick<float>({0.3F, 0.0F}),
                        source.pick<float>({0.3F, 0.0F}),
                        source.pick<std::uint32_t>({0, 1, 13}),
                        source.take<std::uint8_t>() % 2 == 0 ? nullptr : "express_smile"};
    ab_sl_export options{sizeof(ab_sl_export),
                         source.pick<std::int32_t>({0, 1, 2}),
                         source.pick<double>({6.0, 1.0, 31.0}),
                         base.get(),
                         source.take<std::uint8_t>() & 1,
                         source.take<std::uint8_t>() % 2 == 0 ? nullptr : &header,
                         AB_TARGET_SECOND_LIFE,
                         0,
                         nullptr};
    std::vector<std::unique_ptr<FuzzCurve>> curves;
    while (!source.empty() && curves.size() < 12) {
        curves.push_back(std::make_unique<FuzzCurve>(source));
    }
    std::vector<ab_curve> views;
    for (const auto& curve : curves) {
        views.push_back(curve->view);
    }
    // What is left of the input, which is nothing of most.
    options.joint_priorities_json =
        source.take<std::uint8_t>() % 4 == 1 ? R"({"mHead": 3, "mTorso": -3})" : nullptr;
    ab_document* document = nullptr;
    ab_buffer* report = nullptr;
    ab_error error{};
    error.struct_size = sizeof(error);
    const ab_status status = ab_sl_document_from_curves(&armature.view, &timing, views.data(), views.size(),
                                                        &options, nullptr, &document, &report, &error);
    const DocumentHandle owner(document);
    const BufferHandle told(report);
    require(status != AB_ERROR_INTERNAL && status != AB_ERROR_OUT_OF_MEMORY, error.message);
    if (status == AB_OK) {
        check_export(document, report);
    } else {
        require(document == nullptr && report == nullptr, "a failed export that gives something");
        require(error.code == status && is_utf8(error.message), "a failed export without its reason");
    }
}

void try_samples(ByteView bytes) {
    Source source(bytes);
    const ab_timing timing{sizeof(ab_timing), 0, source.pick<double>({24.0, 5.0, 1000.0, 1.0}),
                           source.pick<double>({0.0, 1.0, -10.0})};
    const FuzzArmature armature(source);
    const DocumentHandle base = take_template(source);
    ab_sl_export options{};
    options.struct_size = sizeof(options);
    options.encoder = source.pick<std::int32_t>({0, 1, 2});
    options.template_document = base.get();
    options.keep_duration = source.take<std::uint8_t>() & 1;
    options.target = source.pick<std::int32_t>({0, 0, 1});
    options.fit_bytes = source.pick<std::uint64_t>({0, 0, 200, 400, 1000});
    const std::size_t count = source.take<std::uint8_t>() % 40U;
    std::vector<double> frames;
    std::vector<float> matrices;
    std::vector<float> objects;
    std::vector<std::uint8_t> bones(armature.view.bone_count, 1);
    double frame = timing.frame_start;
    for (std::size_t i = 0; i < count; ++i) {
        frames.push_back(frame);
        frame += source.pick<double>({1.0, 0.5, 1.0, 1e-5, 7.0});
        for (std::size_t m = 0; m <= armature.view.bone_count; ++m) {
            std::vector<float>& list = m == 0 ? objects : matrices;
            for (int c = 0; c < 16; ++c) {
                list.push_back(source.pick<float>(
                    {c % 5 == 0 ? 1.0F : 0.0F, c % 5 == 0 ? 1.0F : 0.0F, 0.5F, -1.0F, 0.001F, 5.0F}));
            }
        }
    }
    options.frame_end = count == 0 ? timing.frame_start : frames.back();
    for (std::uint8_t& bone : bones) {
        bone = source.take<std::uint8_t>() % 5 == 0 ? 0 : 1;
    }
    const bool object_moves = source.take<std::uint8_t>() % 2 == 0;
    const ab_sl_samples samples{sizeof(ab_sl_samples),
                                static_cast<std::uint32_t>(count),
                                frames.data(),
                                matrices.data(),
                                object_moves ? objects.data() : nullptr,
                                bones.data(),
                                source.pick<double>({0.5, 0.0, 10.0}),
                                source.pick<double>({0.05, 3.0})};
    ab_document* document = nullptr;
    ab_buffer* report = nullptr;
    ab_error error{};
    error.struct_size = sizeof(error);
    const ab_status status = ab_sl_document_from_samples(&armature.view, &timing, &samples, &options, nullptr,
                                                         &document, &report, &error);
    const DocumentHandle owner(document);
    const BufferHandle told(report);
    require(status != AB_ERROR_INTERNAL && status != AB_ERROR_OUT_OF_MEMORY, error.message);
    if (status != AB_OK) {
        require(document == nullptr && report == nullptr, "a failed export that gives something");
        require(error.code == status && is_utf8(error.message), "a failed export without its reason");
        return;
    }
    if (options.target == AB_TARGET_SECOND_LIFE) {
        check_export(document, report);
    }
    ab_document* less = nullptr;
    require(ab_sl_reduce(document, nullptr, nullptr, &less, nullptr, &error) == AB_OK, error.message);
    const DocumentHandle less_owner(less);
    ab_buffer* written = nullptr;
    require(ab_document_write(less, &written, nullptr) == AB_OK, "a reduced document cannot be written");
    ab_buffer_free(written);
}

}  // namespace animbridge::test
