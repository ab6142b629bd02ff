// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <set>
#include <utility>

#include "editing/clip_tools.h"

namespace animbridge::editing {

namespace {

/// Words that name a side, each with the word for the other one.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> side_words = {
    {{"left", "right"},
     {"right", "left"},
     {"l", "r"},
     {"r", "l"},
     {"izquierda", "derecha"},
     {"derecha", "izquierda"},
     {"gauche", "droite"},
     {"droite", "gauche"}}};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Whether the word stands at this place as a word of its own: between separators, digits or capitals.
bool is_word_at(std::string_view name, std::size_t at, std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (at + i >= name.size() || lower(name[at + i]) != word[i]) {
            return false;
        }
    }
    const std::size_t end = at + word.size();
    const bool all_upper = is_upper(name[at]) && is_upper(name[end - 1]) && word.size() > 1;
    const bool begins = at == 0 || !is_letter(name[at - 1]) ||
                        (is_upper(name[at]) && !is_upper(name[at - 1])) ||
                        (word.size() > 1 && is_upper(name[at]));
    const bool ends = end == name.size() || !is_letter(name[end]) || (is_upper(name[end]) && !all_upper) ||
                      (word.size() > 1 && !all_upper && is_upper(name[end - 1]) == is_upper(name[end]));
    // A single letter is a side only between separators and ends, or before a word of its own: "lThigh",
    // "LThumb".
    const bool is_first = at == 0 || !is_letter(name[at - 1]);
    const bool is_before_word =
        end + 1 < name.size() && is_upper(name[end]) && is_letter(name[end + 1]) && !is_upper(name[end + 1]);
    const bool is_apart =
        word.size() > 1 || (is_first && (end == name.size() || !is_letter(name[end]) || is_before_word ||
                                         (!is_upper(name[at]) && is_upper(name[end]))));
    return begins && ends && is_apart;
}

/// The word in the letters of the one that it replaces.
std::string like(std::string_view word, std::string_view replaced) {
    std::string result(word);
    const bool all_upper = std::ranges::all_of(replaced, is_upper);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const bool upper = all_upper || (i == 0 && is_upper(replaced[0]));
        result[i] =
            upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(result[i]))) : result[i];
    }
    return result;
}

/// Joints without a name stand above one that has one: they pair as it does.
void pair_nameless(const Skeleton& skeleton, std::vector<std::size_t>& partners) {
    for (std::size_t i = partners.size(); i-- > 0;) {
        const auto above = skeleton.nodes[i].parent;
        const auto other = skeleton.nodes[partners[i]].parent;
        if (above && other && skeleton.nodes[*above].name.empty() && skeleton.nodes[*other].name.empty()) {
            partners[*above] = *other;
        }
    }
}

}  // namespace

std::vector<std::size_t> partners_of(const Skeleton& skeleton, const rig::humanoid::FoundRig& rig) {
    std::vector<std::size_t> partners(skeleton.nodes.size());
    std::map<std::string_view, std::size_t> by_name;
    for (std::size_t i = 0; i < partners.size(); ++i) {
        partners[i] = i;
        by_name.emplace(skeleton.nodes[i].name, i);
    }
    for (std::size_t i = 0; i < partners.size(); ++i) {
        if (skeleton.nodes[i].name.empty()) {
            continue;
        }
        const auto other = by_name.find(mirrored_name(skeleton.nodes[i].name));
        if (other != by_name.end() && mirrored_name(other->first) == skeleton.nodes[i].name) {
            partners[i] = other->second;
        }
    }
    const auto slots = rig::humanoid::humanoid_slots();
    for (const rig::humanoid::FoundSlot& found : rig.slots) {
        const auto slot = rig::humanoid::find_slot(found.slot);
        if (slot && slots[*slot].side != rig::humanoid::Side::centre) {
            if (const auto other = rig.joint_of(slots[rig::humanoid::mirrored_slot(*slot)].name)) {
                partners[found.joint] = *other;
            }
        }
    }
    pair_nameless(skeleton, partners);
    return partners;
}

namespace {

/// The reflection in a plane through the origin.
class Reflection {
public:
    explicit Reflection(const glm::dvec3& normal) : normal_(normal) {}

    [[nodiscard]] glm::dvec3 of(const glm::dvec3& v) const {
        return v - 2.0 * glm::dot(normal_, v) * normal_;
    }
    [[nodiscard]] glm::dquat of(const glm::dquat& q) const {
        const glm::dvec3 axis = -of(glm::dvec3(q.x, q.y, q.z));
        return {q.w, axis.x, axis.y, axis.z};
    }

private:
    glm::dvec3 normal_;
};

/// The direction from right to left at rest: the mean of the pairs, along the nearest axis if that is within
/// five degrees, as it is in nearly every rig.
std::optional<glm::dvec3> side_axis(const std::vector<Transform>& world,
                                    const std::vector<std::size_t>& partners) {
    glm::dvec3 sum(0);
    for (std::size_t i = 0; i < partners.size(); ++i) {
        if (partners[i] > i) {
            const glm::dvec3 apart = world[i].translation - world[partners[i]].translation;
            sum += glm::dot(sum, apart) < 0.0 ? -apart : apart;
        }
    }
    const double length = glm::length(sum);
    if (!(length > 0.0)) {
        return std::nullopt;
    }
    const glm::dvec3 axis = sum / length;
    constexpr double nearly_one = 0.9962;  // the cosine of five degrees
    for (glm::length_t i = 0; i < 3; ++i) {
        if (std::abs(axis[i]) > nearly_one) {
            glm::dvec3 exact(0);
            exact[i] = 1.0;
            return exact;
        }
    }
    return axis;
}

/// What turns a joint's local motion into its partner's: rotations are `before` * reflected * `after`,
/// offsets from rest are turned, reflected and turned again. Both are linear in their numbers.
struct LocalMirror {
    Reflection reflection;
    glm::dquat before{1, 0, 0, 0};
    glm::dquat after{1, 0, 0, 0};
    glm::dquat parent_world{1, 0, 0, 0};          ///< of the joint
    glm::dquat partner_parent_world{1, 0, 0, 0};  ///< of the partner
    glm::dvec3 rest{0};
    glm::dvec3 partner_rest{0};
    // Where each number only changes its sign: then it is exact, and numbers may have curves of their own.
    std::optional<glm::dvec4> rotation_signs{};
    std::optional<glm::dvec3> offset_signs{};

    /// w, x, y, z
    [[nodiscard]] glm::dvec4 rotation(const glm::dvec4& row) const {
        if (rotation_signs) {
            return *rotation_signs * row;
        }
        const glm::dquat q = product(product(before, reflection.of({row[0], row[1], row[2], row[3]})), after);
        return {q.w, q.x, q.y, q.z};
    }
    [[nodiscard]] glm::dvec3 offset(const glm::dvec3& o) const {
        return offset_signs ? *offset_signs * o
                            : glm::conjugate(partner_parent_world) * reflection.of(parent_world * o);
    }
    /// What is added to an offset, so that rest becomes rest. Zero where rests mirror each other.
    [[nodiscard]] glm::dvec3 place() const {
        constexpr double same_metres = 1e-9;
        glm::dvec3 shift = partner_rest - offset(rest);
        for (glm::length_t i = 0; i < 3; ++i) {
            shift[i] = std::abs(shift[i]) < same_metres ? 0.0 : shift[i];
        }
        return shift;
    }
    [[nodiscard]] bool keeps_numbers_apart(Channel channel) const {
        return channel == Channel::rotation ? rotation_signs.has_value() : offset_signs.has_value();
    }
};

/// The signs, if the linear function only changes those.
template <typename Vector, typename Function>
std::optional<Vector> signs_of(Function&& function) {
    constexpr double exact = 1e-6;  // what single precision leaves of a rest pose
    Vector signs(0);
    for (glm::length_t i = 0; i < Vector::length(); ++i) {
        Vector unit(0);
        unit[i] = 1.0;
        Vector image = function(unit);
        signs[i] = image[i] < 0.0 ? -1.0 : 1.0;
        image[i] -= signs[i];
        if (glm::dot(image, image) > exact * exact) {
            return std::nullopt;
        }
    }
    return signs;
}

LocalMirror local_mirror(const Skeleton& skeleton, const std::vector<Transform>& world, std::size_t joint,
                         std::size_t partner, const Reflection& reflection) {
    const auto above = [&](std::size_t node) {
        const auto parent = skeleton.nodes[node].parent;
        return parent ? world[*parent].rotation : glm::dquat(1, 0, 0, 0);
    };
    LocalMirror made{reflection};
    made.parent_world = above(joint);
    made.partner_parent_world = above(partner);
    made.before = product(glm::conjugate(made.partner_parent_world), reflection.of(made.parent_world));
    made.after = product(glm::conjugate(reflection.of(world[joint].rotation)), world[partner].rotation);
    made.rest = skeleton.nodes[joint].rest_local.translation;
    made.partner_rest = skeleton.nodes[partner].rest_local.translation;
    made.rotation_signs = signs_of<glm::dvec4>([&](const glm::dvec4& row) { return made.rotation(row); });
    made.offset_signs = signs_of<glm::dvec3>([&](const glm::dvec3& o) { return made.offset(o); });
    return made;
}

/// The numbers of a row; those that the track lacks are 0, and `of` gives the function's.
template <typename Get, typename Set>
void mirror_row(const LocalMirror& mirror, const Track& track, const glm::dvec3& shift, Get&& get,
                Set&& set) {
    const std::size_t width = track.width();
    const std::size_t first = track.component.value_or(0);
    glm::dvec4 row(0);
    for (std::size_t i = 0; i < width; ++i) {
        row[static_cast<glm::length_t>(first + i)] = get(i);
    }
    const glm::dvec4 turned = track.channel == Channel::rotation
                                  ? mirror.rotation(row)
                                  : glm::dvec4(shift + mirror.offset(glm::dvec3(row)), 0.0);
    for (std::size_t i = 0; i < width; ++i) {
        set(i, turned[static_cast<glm::length_t>(first + i)]);
    }
}

/// Whether all numbers of a key have handles at the same times: then a mirrored curve is still a curve.
bool has_common_handles(const Track& track) {
    const std::size_t width = track.width();
    for (std::size_t i = 0; i < track.handles.size(); ++i) {
        const Handles& first = track.handles[i - i % width];
        if (track.handles[i].in_time != first.in_time || track.handles[i].out_time != first.out_time) {
            return false;
        }
    }
    return true;
}

void mirror_track(const LocalMirror& mirror, std::size_t partner, Track& track) {
    const std::size_t width = track.width();
    const glm::dvec3 shift = mirror.place();
    for (std::size_t row = 0; row < track.values.size(); row += width) {
        mirror_row(
            mirror, track, shift, [&](std::size_t i) { return track.values[row + i]; },
            [&](std::size_t i, double value) { track.values[row + i] = value; });
    }
    // Handles are differences of values.
    for (const auto side : {&Handles::in_value, &Handles::out_value}) {
        for (std::size_t row = 0; row < track.handles.size(); row += width) {
            mirror_row(
                mirror, track, glm::dvec3(0), [&](std::size_t i) { return track.handles[row + i].*side; },
                [&](std::size_t i, double value) { track.handles[row + i].*side = value; });
        }
    }
    track.node = partner;
}

/// Whether the joint and all above it are mirrored, so that what is above the partner is what is above the
/// joint, mirrored.
std::vector<bool> mirrored_joints(const Skeleton& skeleton, const std::vector<std::size_t>& partners) {
    std::vector<bool> mirrors(partners.size());
    for (std::size_t i = 0; i < partners.size(); ++i) {
        const auto parent = skeleton.nodes[i].parent;
        const auto other = skeleton.nodes[partners[i]].parent;
        mirrors[i] = !parent ? !other : other && partners[*parent] == *other && mirrors[*parent];
        if (partners[i] == i && parent && partners[*parent] != *parent) {
            mirrors[i] = false;  // one side has it alone
        }
    }
    return mirrors;
}

}  // namespace

std::string mirrored_name(std::string_view name) {
    for (std::size_t at = 0; at < name.size(); ++at) {
        for (const auto& [word, other] : side_words) {
            if (is_word_at(name, at, word)) {
                return std::string(name.substr(0, at)) + like(other, name.substr(at, word.size())) +
                       std::string(name.substr(at + word.size()));
            }
        }
    }
    return std::string(name);
}

Result<Mirrored> mirror(Clip& clip, const rig::humanoid::FoundRig& rig) {
    const std::vector<std::size_t> partners = partners_of(clip.skeleton, rig);
    const std::vector<Transform> world = ClipPoser(Clip{clip.skeleton, {}, {}, 0.0}).world();
    const auto axis = side_axis(world, partners);
    if (!axis) {
        return fail(
            ErrorCode::rejected,
            "no joint has a partner on the other side: neither the names nor the shape of the skeleton "
            "say left and right",
            "mirror");
    }
    Mirrored done;
    for (std::size_t i = 0; i < partners.size(); ++i) {
        done.pairs += partners[i] > i && !clip.skeleton.nodes[i].name.empty() ? 1 : 0;
    }
    const std::vector<bool> mirrors = mirrored_joints(clip.skeleton, partners);
    const auto mirror_of = [&](std::size_t joint) {
        return local_mirror(clip.skeleton, world, joint, partners[joint], Reflection(*axis));
    };
    const auto mixes = [&](const Track& track) {
        return track.channel != Channel::property && mirrors[track.node] &&
               !mirror_of(track.node).keeps_numbers_apart(track.channel);
    };
    done.sampled = use_rows(clip, mixes);
    done.sampled +=
        use_lines(clip, [&](const Track& track) { return !has_common_handles(track) && mixes(track); });
    std::set<std::string> alone;
    for (Track& track : clip.tracks) {
        if (track.channel == Channel::property) {
            continue;
        }
        if (mirrors[track.node]) {
            mirror_track(mirror_of(track.node), partners[track.node], track);
        } else {
            alone.insert(clip.skeleton.nodes[track.node].name);
        }
    }
    done.left_alone.assign(alone.begin(), alone.end());
    std::ranges::stable_sort(clip.tracks, {}, &Track::node);
    return done;
}

}  // namespace animbridge::editing
