/* SPDX-License-Identifier: MIT
 *
 * AnimBridge, the C interface: animation files as lossless documents, and animation curves as bulk arrays.
 *
 * Rules that hold for every function:
 * - Status: 0 (AB_OK) or a negative AB_ERROR_*. On an error the out-parameters are left untouched (NULL stays
 *   NULL) and *error, if given, says what was found, where, and what is allowed. `error` may be NULL.
 * - Ownership: what a function returns through an out-handle is freed with the matching *_free (NULL is
 *   allowed). Pointers inside a handle live as long as the handle.
 * - Structs begin with `struct_size`: set it to sizeof(the struct). A smaller value (an older caller) means
 *   defaults for the rest; 0 is an error. Fields are only ever appended.
 * - Text is UTF-8. JSON results are the very documents that the `animbridge` command prints with --json.
 * - Options: `options_json` is a JSON object, or NULL for the defaults. What it may hold depends on the
 *   format; docs/options.md lists it, and so does ab_formats_json. A member that is not listed, or has
 * another type or range, is AB_ERROR_BAD_VALUE, and the message lists what is allowed.
 * - Formats: `format` is an id of ab_formats_json. What a format cannot do is AB_ERROR_INVALID_ARGUMENT, and
 *   the message says why.
 * - Threads: no global mutable state. A handle may be read by several threads at once, and is changed only by
 *   its own *_free.
 * - No exception leaves the library; running out of memory is AB_ERROR_OUT_OF_MEMORY, wherever it happens.
 * - Memory: ab_document_read takes at most 16 times the input plus 1 MiB, its document included, for every
 *   format. On top of the document, ab_document_check, ab_document_json and ab_document_pose (for one time)
 *   take at most 32 times the input plus 1 MiB, their result included. ab_document_info takes at most 112
 *   times the input plus 1 MiB; only levels whose instances share one long name need that much. The input
 *   is the file as it was read; a function that takes a path also holds the file's bytes while it reads.
 */
#ifndef ANIMBRIDGE_H
#define ANIMBRIDGE_H

/* A header for C: NOLINTBEGIN(modernize-*) */

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#if defined(ANIMBRIDGE_BUILD)
#define AB_API __declspec(dllexport)
#else
#define AB_API __declspec(dllimport)
#endif
#else
#define AB_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define AB_VERSION_MAJOR 0
#define AB_VERSION_MINOR 2
#define AB_VERSION_PATCH 0
/* Grows when a caller that was built against an older header would misread the library. */
#define AB_ABI_VERSION 2

typedef int32_t ab_status;
enum {
    AB_OK = 0,
    AB_ERROR_INVALID_ARGUMENT = -1,    /* the call itself is wrong: NULL, an unset struct, an unknown name */
    AB_ERROR_IO = -2,                  /* a file cannot be read or written */
    AB_ERROR_UNKNOWN_FORMAT = -3,      /* the bytes are no animation format that the library knows */
    AB_ERROR_TRUNCATED = -4,           /* the file ends before a field that it announces */
    AB_ERROR_UNSUPPORTED_VERSION = -5, /* the right format, a version that does not exist */
    AB_ERROR_BAD_VALUE = -6,           /* a value that cannot be parsed or used */
    AB_ERROR_REJECTED = -7, /* the target program would refuse the file, so it cannot be played or exported */
    AB_ERROR_CANCELLED = -8, /* the progress callback asked to stop */
    AB_ERROR_OUT_OF_MEMORY = -9,
    AB_ERROR_INTERNAL = -10
};

/* Filled when a function fails; owned by the caller. Text is one line of UTF-8, cut at its array's end on a
 * character boundary. Control characters of a file's text come as \xNN or \uNNNN, so that a terminal may show
 * it. */
typedef struct ab_error {
    uint32_t struct_size;
    ab_status code;
    int64_t byte_offset; /* in the input; -1: none */
    int64_t line;        /* in a text input, from 1; -1: none */
    char field[64];      /* the field at fault, "" when none */
    char message[512];   /* one sentence: file, place, found, allowed */
} ab_error;

/* Called now and then during long work with fraction 0..1. Return non-zero to cancel. Must not unwind through
 * the library. */
typedef int32_t (*ab_progress)(void* user, double fraction);

typedef struct ab_job {
    uint32_t struct_size;
    ab_progress progress; /* may be NULL */
    void* user;
} ab_job;

typedef struct ab_buffer ab_buffer;     /* bytes owned by the library */
typedef struct ab_document ab_document; /* one file of one format, losslessly; immutable */
typedef struct ab_curves ab_curves;     /* curves for the bones of an armature; immutable */

/* ---- the library ---- */

AB_API int32_t ab_abi_version(void);
AB_API const char* ab_version(void);
AB_API const char* ab_status_name(ab_status status);
/* The tables of formats and of exact ways between two of them, with all their options (docs/options.md):
 * {"formats": [{"id", "title", "extensions", "check_levels", "reads", "writes", "options": {call:
 * [option]}}], "conversions": [{"from", "to", "options": [option]}]}. A call is "skeleton"
 * (ab_skeleton_json), "to_curves" (ab_curves_from_document), "from_curves", "from_samples"
 * (ab_document_from_...) or "reduce". An option is
 * {"name", "type", "default" (null: none; "without" then says what happens), "unit", "zero": what 0 means,
 * "null": whether null is allowed, "required", "allowed": in words, "command": the flag, "help"}, with "low",
 * "high" and "above_low" of numbers, "choices", and "members" of objects. */
AB_API ab_status ab_formats_json(ab_buffer** out, ab_error* error);
/* Turns any words into a file name without its `ending` (".anim", "_2.anim"; at most 64 bytes). The result is
 * one name and not a path, never empty, and UTF-8. It is not a device's name, and has neither control
 * characters nor any of <>:"/\|?*. With the ending and 7 more bytes, a file system takes its length. A name
 * that is fine stays as it is. `words` may hold any bytes, and may be NULL if `size` is 0. The caller keeps
 * names apart that differ only in case. */
AB_API ab_status ab_file_stem(const char* words, size_t size, const char* ending, ab_buffer** out,
                              ab_error* error);

AB_API const uint8_t* ab_buffer_data(const ab_buffer* buffer); /* NULL for NULL */
AB_API size_t ab_buffer_size(const ab_buffer* buffer);         /* bytes; JSON and text carry no NUL */
AB_API void ab_buffer_free(ab_buffer* buffer);

/* ---- documents ---- */

/* Parses bytes. `format` may be NULL: it is then found from the content, AnimBridge's own JSON included.
 * `name` is used in messages only and may be NULL. `options_json`: {"lenient": bool}. Lenient is for text
 * that contradicts itself or keeps to no rule, such as a BVH whose frames do not fit their declared number:
 * whatever can be made sense of is read, and ab_document_check reports the rest. Time is linear, but n log n
 * in the keys of one JSON object. */
AB_API ab_status ab_document_read(const uint8_t* data, size_t size, const char* format, const char* name,
                                  const char* options_json, ab_document** out, ab_error* error);
AB_API ab_status ab_document_read_file(const char* path, const char* format, const char* options_json,
                                       ab_document** out, ab_error* error);
AB_API void ab_document_free(ab_document* document);
AB_API const char* ab_document_format(const ab_document* document); /* format id; NULL for NULL */
/* The document as a file of its format. How much of it is identical to what was read depends on the format:
 * - Binary (.anim, .oni, a raw OBAN, a level): every byte, for every file that ab_document_read takes.
 * - Text (BVH, OniSplit's XML): every value, in AnimBridge's own layout; blanks, comments and spellings of
 *   numbers go, and so does the name that OniSplit's older XML has. To read and write the result again gives
 *   the same bytes. A BVH that was read leniently is written as it was understood.
 * - AnimBridge's JSON: the file of its "format" that the JSON tells of.
 * - A record out of a level (ab_document_child): the record's bytes as they lie in the level. Where bytes
 *   follow its keys (no writer is known to make such a "tail"), ab_document_read refuses the result, since a
 *   raw OBAN has no room for them. ab_document_json keeps them, and so does ab_document_edit with
 *   {"container": "oni"}; with "raw" or "xml" the result lacks them. */
AB_API ab_status ab_document_write(const ab_document* document, ab_buffer** out, ab_error* error);
/* Makes a new file and puts it in the place of `path`: a failure, or the end of the process, leaves an
 * existing file as it was. A symbolic link is followed; a FIFO or device is written into. A new file follows
 * the umask, a replaced one keeps its permissions, and after a power cut a replaced file is the old or the
 * new one. */
AB_API ab_status ab_document_write_file(const ab_document* document, const char* path, ab_error* error);
/* The whole document as JSON; ab_document_read reads it back to an equal document. */
AB_API ab_status ab_document_json(const ab_document* document, ab_buffer** out, ab_error* error);
/* What a person wants to know of the file, as `animbridge info --json`. */
AB_API ab_status ab_document_info(const ab_document* document, ab_buffer** out, ab_error* error);
/* Findings as `animbridge check --json`; `level`: "playback", "upload" or "strict". */
AB_API ab_status ab_document_check(const ab_document* document, const char* level, ab_buffer** out,
                                   ab_error* error);
/* Plays both and measures, as `animbridge compare --json`. */
AB_API ab_status ab_document_compare(const ab_document* a, const ab_document* b, const ab_job* job,
                                     ab_buffer** out, ab_error* error);
/* A copy of the document with other header values; keys and whatever is not named stay bit for bit.
 * `edits_json`:
 * - .anim: any of "base_priority", "emote_name", "loop" (true or false), "loop_in_point", "loop_out_point",
 *   "ease_in_duration", "ease_out_duration" (seconds), "hand_pose" (0..13) and "joint_priorities":
 *   {joint: priority}. Values may be any that the file can hold; ab_document_check reports what the viewer
 *   makes of them.
 * - BVH: "decimals": digits after the point that are written, or null for as few as read back to the same
 *   number.
 * - OBAN: any of "flags" (a number, or an array of names: bits without a name then stay), "half_stop_frame",
 *   "frame_length", "name" and "container" ("raw", "oni", "xml"; what XML cannot hold, ab_document_info lists
 *   as "lost_in_xml"). */
AB_API ab_status ab_document_edit(const ab_document* document, const char* edits_json, ab_document** out,
                                  ab_error* error);
/* The document without the keys that its player does not need; what stays keeps its bits. For .anim.
 * `options_json`: {"max_position_mm": 0.5, "max_rotation_degrees": 0.05} (the defaults): the bound, against
 * what the input plays, at all its key times and half-way between; or {"fit_bytes": 250000}: the smallest
 * bound in that ratio whose result is no larger, AB_ERROR_REJECTED when one key per track is too much. With
 * both, no bound below the given one is tried. *report (may be NULL): {"bytes_before", "bytes_after",
 * "keys_before", "keys_after", "max_position_error_mm", "max_rotation_error_degrees", "worst", "bound"};
 * "bound" is null when the input already fits. */
AB_API ab_status ab_document_reduce(const ab_document* document, const char* options_json, const ab_job* job,
                                    ab_document** out, ab_buffer** report, ab_error* error);
/* What the target program stores in the place of the file: of a .anim, what the viewer makes of it on an
 * upload (docs/second-life-format.md, "What an upload changes"). *findings (may be NULL) lists what was
 * altered. When the program refuses the file: AB_ERROR_REJECTED, and *findings holds why. */
AB_API ab_status ab_document_as_stored(const ab_document* document, ab_document** out, ab_buffer** findings,
                                       ab_error* error);
/* One document out of a file that holds many: out of a level (.dat) an OBAN that writes the record's bytes.
 * `name` with or without the tag OBAN, or "#" and the instance's number; NULL where there is but one.
 * ab_document_info of a level lists them. */
AB_API ab_status ab_document_child(const ab_document* document, const char* name, ab_document** out,
                                   ab_error* error);
/* The level with one animation's keys, flags and matrices in place of another's; every other instance's
 * bytes, all flags and the order stay, and so do the slot's ids and name. */
AB_API ab_status ab_document_with_child(const ab_document* document, const char* name,
                                        const ab_document* child, ab_document** out, ab_error* error);

/* Any input file to any output file, as `animbridge convert`; formats follow the names' extensions.
 * `options_json`: {"as_stored": bool, "input_format": id, "edits": as ab_document_edit takes them, "lenient":
 * bool, "conversion": an object of options for the way between the two formats (docs/command.md)}. *report
 * (may be NULL) is a JSON object. */
AB_API ab_status ab_convert_file(const char* input_path, const char* output_path, const char* options_json,
                                 const ab_job* job, ab_buffer** report, ab_error* error);

/* ---- skeletons and poses ---- */

/* The skeleton at rest. Either `document` or `format` may be NULL; a document is not needed where all files
 * of the format have one skeleton.
 * - .anim: the avatar, of any file. {"joints": [{"name", "kind", "parent", "aliases", "position",
 *   "rotation_wxyz", "end", "group", "support", "on_screen"}]}; positions in metres in the parent's frame, +X
 *   forward, +Z up; "on_screen": a point of the HUD and not of the avatar.
 * - BVH: the document's joints in armature space. `options_json`: "forward", "up" and "scale" as
 *   ab_curves_from_document has them. {"frame_time_seconds", "frame_count", "duration_seconds":
 *   (frame_count - 1) * frame_time_seconds, "axes_wxyz": C, "joints": [{"name": what the bone shall be
 *   called: UTF-8, at most 63 bytes, not empty, unique; "file_name", "parent": index or -1, "head", "tail":
 *   the middle of the children's heads and the end sites, never at the head; "has_positions",
 *   "rotation_channels": their letters in file order, "euler_order": Blender's order whose angles are the
 *   file's, null when an axis stands twice}]}. Places beyond 1e30 are AB_ERROR_BAD_VALUE. */
AB_API ab_status ab_skeleton_json(const char* format, const ab_document* document, const char* options_json,
                                  ab_buffer** out, ab_error* error);

/* A caller's arrays for poses; each may be NULL. Quaternions are w, x, y, z. NaN where the file has no such
 * track, or no skeleton has the joint. */
typedef struct ab_pose {
    uint32_t struct_size;
    uint32_t reserved;
    size_t joint_capacity;   /* joints per time that the arrays have room for: ab_document_joint_count */
    double* clip_seconds;    /* [time] */
    double* ease_weights;    /* [time], 0..1 */
    double* local_rotations; /* [time][joint][4], in the parent's frame */
    double* local_positions; /* [time][joint][3] */
    double* world_rotations; /* [time][joint][4], on the resting skeleton */
    double* world_positions; /* [time][joint][3] */
} ab_pose;

/* How many joints the player poses: of a .anim those of the file, first by name, in its order; of a BVH all;
 * of an OBAN one, the object. 0 for what cannot be played. */
AB_API size_t ab_document_joint_count(const ab_document* document);
/* What the player shows at `count` times, in seconds since the animation was started; stop_time_seconds < 0:
 * it is not stopped. A .anim in metres with mPelvis at 0; a BVH and an OBAN along the file's axes and in its
 * unit. */
AB_API ab_status ab_document_pose(const ab_document* document, const double* times_seconds, size_t count,
                                  double stop_time_seconds, const ab_pose* pose, ab_error* error);

/* ---- rigs and curves ---- */

enum {
    AB_FACING_AUTO = 0,
    AB_FACING_X = 1,
    AB_FACING_NEGATIVE_Y = 2,
    AB_FACING_NEGATIVE_X = 3,
    AB_FACING_Y = 4
};
enum { AB_BONE_CONNECTED = 1, AB_BONE_NO_LOCAL_LOCATION = 2, AB_BONE_NO_INHERIT_ROTATION = 4 };

/* An armature as Blender has it. */
typedef struct ab_armature {
    uint32_t struct_size;
    uint32_t bone_count;
    const char* names;          /* bone_count names, each ended by a NUL. Two bones may share one: then no
                                   BVH joint is matched to them by it, and "bones" of an export cannot name
                                   them. */
    size_t names_size;          /* bytes of `names`, NULs included */
    const int32_t* parents;     /* index, -1 for none; a parent comes before its children or after, any order;
                                   no bone is its own ancestor */
    const float* rest_matrices; /* bone_count x 16, column-major, armature space, metres:
                                   foreach_get("matrix_local") */
    const uint8_t* flags;       /* AB_BONE_*; NULL: none */
    int32_t facing;             /* AB_FACING_*: where the character looks in armature space */
    const char* rig_map; /* which bones show which joints, as JSON (docs/rig-maps.md); NULL: the built-in
                            map */
    const uint8_t* rotation_channels; /* bone_count x AB_CHANNEL_ROTATION_*, not AXIS_ANGLE: in which curves
                                         ab_curves_from_document gives each bone's rotation; NULL:
                                         quaternions. Other functions do not read it. */
} ab_armature;

/* The built-in rig map, to start one's own from. */
AB_API ab_status ab_rig_map_json(ab_buffer** out, ab_error* error);
/* What the rig map makes of the armature: {"facing", "matched": [{"joint", "bone", "by"}],
 * "unmatched_joints": [...], "unmatched_bones": [...]}. Two bones that fit one joint equally well: here and
 * in every other function that takes an armature AB_ERROR_BAD_VALUE, and the message lists them. */
AB_API ab_status ab_rig_match_json(const ab_armature* armature, ab_buffer** out, ab_error* error);

/* Frames of the scene: frame = frame_start + seconds * frames_per_second (fps / fps_base). */
typedef struct ab_timing {
    uint32_t struct_size;
    uint32_t reserved;
    double frames_per_second;
    double frame_start;
} ab_timing;

enum {
    AB_CHANNEL_LOCATION = 0,
    AB_CHANNEL_ROTATION_QUATERNION = 1,
    AB_CHANNEL_ROTATION_AXIS_ANGLE = 2,
    AB_CHANNEL_ROTATION_XYZ = 3, /* Euler, radians, Blender's orders */
    AB_CHANNEL_ROTATION_XZY = 4,
    AB_CHANNEL_ROTATION_YXZ = 5,
    AB_CHANNEL_ROTATION_YZX = 6,
    AB_CHANNEL_ROTATION_ZXY = 7,
    AB_CHANNEL_ROTATION_ZYX = 8
};
enum { AB_KEY_CONSTANT = 0, AB_KEY_LINEAR = 1, AB_KEY_BEZIER = 2 };

/* One F-curve: arrays exactly as foreach_get / foreach_set of its keyframe points have them. The same curve
 * (bone, channel and component) twice in one call is AB_ERROR_INVALID_ARGUMENT, and so is an unchanged one
 * without a template. */
typedef struct ab_curve {
    uint32_t struct_size;
    int32_t bone;      /* index into the armature; -1: the object itself (OBAN) */
    int32_t channel;   /* AB_CHANNEL_* */
    int32_t component; /* array_index of the F-curve */
    uint32_t key_count;
    int32_t unchanged; /* input only; non-zero: as imported, so the template's record stays and the arrays are
                          not read */
    const float* co;   /* key_count x (frame, value) */
    const uint8_t* interpolation; /* key_count x AB_KEY_*; NULL: all linear */
    const float* handle_left;     /* key_count x (frame, value); NULL unless a key is Bezier */
    const float* handle_right;
    const uint8_t* inserted; /* key_count, non-zero: a key that AnimBridge added to show the viewer's path;
                                NULL: none */
} ab_curve;

/* The curves that play a document on an armature, or with `armature` NULL on an object (OBAN). Keys that
 * single precision cannot hold are AB_ERROR_BAD_VALUE; a document with findings of class *rejected* is
 * AB_ERROR_REJECTED. `options_json`, and what ab_curves_report gives:
 *
 * - .anim: no options. Locations, and rotations in the armature's rotation_channels; all keys linear, signs
 *   and angles continuous. Inserted keys keep Euler angles within 0.01 degrees of what the viewer shows;
 *   where gimbal lock asks for keys closer than 0.02 frame, a warning says what remains. {"facing",
 *   "duration_seconds", "frame_end", "matched": [{"joint", "bone"}], "unmatched_joints": [...],
 *   "inserted_keys", "close_keys": [{"joint", "frame"}...], "warnings": [...]}.
 *
 * - BVH: a key at each frame. "forward" and "up" (of "X", "Y", "Z", "-X", "-Y", "-Z"; defaults "-Z" and
 *   "Y") are the file's axes that become armature space's +Y and +Z, which is a rotation C; "scale"
 *   (default 1) is metres of armature space per unit of the file: p_armature = scale * C p_file, q_armature
 *   = C q C^-1. Position channels stand in place of the OFFSET. The product of rotations is in the
 *   channels' order: "Zrotation Xrotation Yrotation" is qz * qx * qy, which Blender's Euler order YXZ gives
 *   of the same angles. "match": "names" (equal ones only) or "rig_map" (default: and of the others, those
 *   equal without letters' case, namespace and prefixes, then those that the rig map says mean the same
 *   joint; what is ambiguous is not matched); "fit_height": true scales positions by the ratio of the hips'
 *   heights instead of by "scale" (default false). With "rig_map", C is turned about the armature's Z by as
 *   many quarters as make the matched joints rest most nearly where their bones do, so that the motion goes
 *   where the armature looks; the report's "forward" tells. armature.facing is not read; two bones that fit
 *   one joint of the map are no error. A bone whose rest axes are C and whose Euler order is the file's
 *   gets the file's own angles, in radians and not unwound; else signs and angles are continuous. Joints
 *   without a bone carry their motion on to those below. Bones whose joints have position channels get
 *   locations. {"matched": [{"joint", "bone"}], "unmatched_joints", "unmatched_bones", "duration_seconds",
 *   "frame_end", "forward", "scale", "warnings"}.
 *
 * - OBAN: seven curves (location 0..2, quaternion 0..3; ab_curve.bone is -1), a key of the file each, linear,
 *   signs aligned, at timing.frame_start + time * frames_per_second / 60. World of the file: Y up, a unit is
 *   0.1 m, 60 frames a second. With A(f) = T(position) R(rotation) Base of the file, S a scale by 0.1 and K
 *   the quarter turn about X that makes Y up to Z up, an object's world matrix in Blender is G S K A(f) S^-1
 *   with "axes": "file" (default; cameras; meshes whose vertices are in the file's axes, in metres), and
 *   G S K A(f) K^-1 S^-1 with "axes": "blender" (meshes turned to Z up too). G, "origin", is where the object
 *   stands to which a local animation (the flag ZAxisUp) belongs: a rigid matrix, 16 numbers, column-major,
 *   metres; null: none. The curves are T R of that matrix, rotations as long as the file's; its Base, in the
 *   same axes and metres, comes apart. {"frame_end", "duration_seconds", "base": "none", "scale" (a positive
 *   diagonal) or "matrix", "base_scale": [x, y, z], null for "matrix"; "base_matrix": 16 numbers,
 *   column-major, "flags": [names], "flags_value", "frame_length", "frame_count", "half_stop_frame" (the
 *   file's), "half_stop_scene_frame" (null for 0), "name", "keys", "warnings"}. */
AB_API ab_status ab_curves_from_document(const ab_document* document, const ab_armature* armature,
                                         const ab_timing* timing, const char* options_json, const ab_job* job,
                                         ab_curves** out, ab_error* error);
AB_API size_t ab_curves_count(const ab_curves* curves);
/* Fills *out (struct_size set by the caller) with pointers into `curves`. */
AB_API ab_status ab_curves_get(const ab_curves* curves, size_t index, ab_curve* out, ab_error* error);
AB_API ab_status ab_curves_report(const ab_curves* curves, ab_buffer** out, ab_error* error);
AB_API void ab_curves_free(ab_curves* curves);

/* ---- from a scene to a document ---- */

/* A document of `format` out of an armature's curves, or with `armature` NULL an object's (OBAN).
 * `template_document` (may be NULL) is the document that they came from: what is not touched keeps its bits.
 * *report (may be NULL) says how far the file, written, read back and played, is from the curves.
 *
 * - .anim. Joints of the template without a bone, and curves marked unchanged, keep their record bit for bit;
 *   joints whose bone has no curves any more are dropped. Between keys that are not linear, keys are set at
 *   whole frames. `options_json`:
 *     "frame_end": the last frame of the animation: duration = (frame_end - frame_start) /
 *       frames_per_second. It must be given, unless "keep_duration" is true: the template's, to the bit.
 *     "header": {"base_priority", "joint_priority" (-1..6; for joints that the template has not), "loop",
 *       "loop_in_seconds", "loop_out_seconds", "ease_in_seconds", "ease_out_seconds", "hand_pose" (0..13),
 *       "emote"} of a new file. With a template, the template's header stays.
 *     "joint_priorities": {joint: priority}, by any name that the viewer takes for the joint: what every
 *       record of it gets; joints without keys have none.
 *     "encoder": "upload" (default), "nearest" or "viewer".
 *     "target": "second_life" (default) refuses more than 60 s and 250,000 bytes as stored, which is
 *       AB_ERROR_REJECTED, and the message says by how much and what would help. For "opensim", whose grids
 *       set limits of their own, both are findings.
 *     "fit_bytes": 0 (default): no more than the target takes; else keys of any track, unchanged ones
 *       included, are dropped under the smallest error that makes the file no larger.
 *   The report: {"duration_seconds", "joints", "changed": [...], "kept": [...], "dropped": [...],
 *   "max_rotation_error_degrees", "max_position_error_mm", "worst", "warnings": [...], "findings": [...],
 *   "size_bytes"}: errors at every key and half-way between. AB_ERROR_REJECTED: the target would refuse the
 *   new document, and there is none.
 *
 * - BVH. A joint for each exported bone, depth first; the motion of bones between that are passed over is
 *   in the joints below. OFFSETs are the differences of the bones' heads, and joints rest unturned along
 *   the file's axes. Frame i of the file is at timing.frame_start + i * frame_step; unchanged curves need
 *   no arrays. `options_json`: "forward", "up", "scale" as ab_curves_from_document has them (from the file
 *   to the armature), and "auto" for "forward": the character, who looks along armature.facing or as the
 *   rig map says (-Y where nothing does), looks along the file's +Z, or its -Y where Z is up; "frame_count"
 *   (must be given, 1..1048574); "frame_step" (frames of the scene, 1); "frame_time_seconds" (frame_step /
 *   frames_per_second); "rotation_order": three channel letters (default "ZXY") or "native" (each bone's
 *   Euler order of armature.rotation_channels, ZXY for quaternions); "positions": "root", "moving"
 *   (default: roots, and bones that leave their rest place by more than 0.1 mm) or "all"; "bones": names,
 *   or null for all; "tails": per bone [x, y, z] in armature space, where leaves get their end site, or
 *   null; "names": {bone: joint} or null. Angles are continuous and rounded to 6 decimals; a bone that
 *   rests along the file's axes and turns in its joint's order keeps its own angles. Of a template, bones
 *   that carry its joints' names (as ab_skeleton_json gives them) keep order, channels, end sites and
 *   offsets, and channels marked unchanged its very numbers where the frames are the same. The report:
 *   {"joints", "frames", "forward", "moved_joints": [...], "max_rotation_error_degrees",
 *   "max_position_error_mm", "warnings"}: errors at every frame.
 *
 * - OBAN, of an object that nothing else moves: location and quaternion curves as ab_curves_from_document
 *   gives them, linear, and the object's constant "base_matrix" (16 numbers, default identity: its scale).
 *   Keys stay where they are; a first one after the start is held from frame 0. They must be at whole
 *   frames of the file (within 0.001, or as near as single precision can tell), all curves at the same, and
 *   quaternions of length 1 and with their neighbours' signs; AB_ERROR_INVALID_ARGUMENT otherwise: sample
 *   then. Where one curve of a channel is unchanged, the template's channel stays. Other options and the
 *   report are those of ab_document_from_samples. */
AB_API ab_status ab_document_from_curves(const char* format, const ab_armature* armature,
                                         const ab_timing* timing, const ab_curve* curves, size_t count,
                                         const ab_document* template_document, const char* options_json,
                                         const ab_job* job, ab_document** out, ab_buffer** report,
                                         ab_error* error);

/* What Blender shows, sample by sample: constraints, drivers and control rigs are in it. */
typedef struct ab_samples {
    uint32_t struct_size;
    uint32_t sample_count;
    const double* frames; /* sample_count, ascending; the first is timing.frame_start. Not read for an object,
                             whose samples are the file's frames 0, 1, 2, ... */
    const float* matrices;        /* [sample][bone][16], column-major, armature space, metres:
                                     pose.bones.foreach_get("matrix"); scale is ignored, and reported */
    const float* object_matrices; /* [sample][16], column-major. Of an armature: the object's world matrix as
                                     seen from where it rests, rest^-1 * world, which moves the root; NULL: it
                                     stands. Of an object: its world matrix */
    const uint8_t* bones; /* per bone, 1: exported; 2: exported if it ever leaves its rest pose, by more than
                             0.01 degrees or 0.1 mm; 0: not; NULL: all are exported */
} ab_samples;

/* The same out of evaluated poses. A matrix that places nothing (not a number, no axes) is
 * AB_ERROR_BAD_VALUE, naming bone and sample.
 *
 * - .anim. Every exported bone that is a joint gets a rotation track (one key where it holds still),
 *   mPelvis and joints that leave their resting place by more than 0.1 mm a position track. No sample is
 *   after the animation's end. Options as for curves, and "max_position_mm" (0.5), "max_rotation_degrees"
 *   (0.05), one of them 0: every key stays. Keys are dropped while, at every sample, the file as the viewer
 *   plays it (with "encoder": "upload": once it is uploaded) keeps every joint of the avatar within
 *   max_position_mm of its place and every local rotation within max_rotation_degrees; where even all keys
 *   cannot, for the steps of the file's numbers, a warning says so. Records of the template whose joint has
 *   no exported bone stay bit for bit. The report has "sampled_keys", "kept_keys" and "bound"
 *   ({"max_position_mm", "max_rotation_degrees"} or null) besides; errors are those at the samples, of the
 *   form that the bound is about.
 *
 * - BVH. The samples stand at the file's frames; of the template everything but numbers of the motion is
 *   kept. ab_samples.bones: not 0: exported. Options and report as for curves.
 *
 * - OBAN. Scale, shear and mirroring go into Base when they are constant, to one part in 10,000; where they
 *   change, or a matrix is flat or no number: AB_ERROR_BAD_VALUE, naming the file's frame. `options_json`:
 *   "axes", "origin" as ab_curves_from_document has them; "flags": a number; "half_stop_frame": in the
 *   file's frames; "frame_length" (default 1); "name": without tag; "container": "oni" (default), "xml" or
 *   "raw"; "max_position_mm" (1), "max_rotation_degrees" (0.05): the bound under which keys are dropped,
 *   one of them 0: every key stays; "camera": true for a camera's lines of the script (default false);
 *   "door": null, or {"mirror": true}: the animation given is the opening half, the closing half is the
 *   same backwards, and half_stop_frame is where they meet. Keys are dropped while the player stays within
 *   the bound at every frame, with the object's origin and, where the template's Base moves that, with the
 *   place it turns about; none of those between the first and the last can be taken singly. Of a template,
 *   what the options do not name (flags, half_stop_frame, frame_length, name, container, padding, and with
 *   the container and name also the ids and all that is around the record of a .oni; Base where it still
 *   fits) and keys whose values are as they were made stay to the bit; while the scene shows at every frame
 *   what the template does, as far as single precision can tell, all its keys stay. A .oni that has to be
 *   made anew after all is a warning. No more than 32767 frames: AB_ERROR_BAD_VALUE. The report: {"keys",
 *   "sampled_keys", "frames", "max_position_error_mm", "max_rotation_error_degrees", "worst_frame", "bound"
 *   (null: none), "base", "base_scale", "base_matrix", "findings", "warnings", "script": [lines for the
 *   game's level script]}: errors against the samples at every frame. */
AB_API ab_status ab_document_from_samples(const char* format, const ab_armature* armature,
                                          const ab_timing* timing, const ab_samples* samples,
                                          const ab_document* template_document, const char* options_json,
                                          const ab_job* job, ab_document** out, ab_buffer** report,
                                          ab_error* error);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*) */

#endif /* ANIMBRIDGE_H */
