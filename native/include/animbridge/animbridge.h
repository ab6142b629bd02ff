/* SPDX-License-Identifier: MIT
 *
 * AnimBridge, the C interface: animation files as lossless documents, and animation curves as bulk arrays.
 *
 * Rules for every function:
 * - Status: 0 (AB_OK) or a negative AB_ERROR_*. On an error the out-parameters are not changed (NULL stays
 *   NULL), and *error describes what was found, where, and what is allowed. `error` can be NULL.
 * - Ownership: free what a function returns through an out-handle with the matching *_free, which accepts
 *   NULL. Pointers into a handle are valid until the handle is freed.
 * - Structs begin with `struct_size`: set it to sizeof(the struct). If it is smaller than this library's (an
 *   older caller), the missing members have their defaults; 0 is an error. Members are only ever appended.
 * - Text is UTF-8. JSON results are exactly what the `animbridge` command prints with --json.
 * - Options: `options_json` is a JSON object, or NULL for the defaults. Its members depend on the format;
 *   docs/options.md and ab_formats_json list them. An unlisted member, or one with another type or range, is
 *   AB_ERROR_BAD_VALUE, and the message lists what is allowed.
 * - Formats: `format` is a format id of ab_formats_json. If a format does not support a function, the result
 *   is AB_ERROR_INVALID_ARGUMENT, and the message says why.
 * - Threads: there is no global mutable state. Several threads can read a handle at once; only its *_free
 *   changes it.
 * - No exception leaves the library. Running out of memory anywhere is AB_ERROR_OUT_OF_MEMORY.
 * - Memory: ab_document_read uses at most 16 times the input plus 1 MiB, including its document, for every
 *   format. In addition to the document, ab_document_check, ab_document_json and ab_document_pose (for one
 *   time) use at most 32 times the input plus 1 MiB, including their result. ab_document_info uses at most
 *   112 times the input plus 1 MiB; only levels whose instances share one long name need that much. The
 *   input is the file as it was read. A function that takes a path also holds the file's bytes while it
 *   reads. Scenes are limited by the option memory_mib instead: ab_document_read fails if what it reads, or
 *   a clip of it, takes more. The JSON of a scene takes several times as much.
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
#define AB_VERSION_MINOR 3
#define AB_VERSION_PATCH 0
/* Grows when a caller built against an older header would misunderstand the library. */
#define AB_ABI_VERSION 4

typedef int32_t ab_status;
enum {
    AB_OK = 0,
    AB_ERROR_INVALID_ARGUMENT = -1,    /* the call is wrong: NULL, an unset struct, an unknown name */
    AB_ERROR_IO = -2,                  /* a file cannot be read or written */
    AB_ERROR_UNKNOWN_FORMAT = -3,      /* the bytes are not of a format that the library knows */
    AB_ERROR_TRUNCATED = -4,           /* the file ends before a field that it announces */
    AB_ERROR_UNSUPPORTED_VERSION = -5, /* a known format in an unknown version */
    AB_ERROR_BAD_VALUE = -6,           /* a value that cannot be parsed or used */
    AB_ERROR_REJECTED = -7, /* the target program would refuse the file, so it cannot be played or exported */
    AB_ERROR_CANCELLED = -8, /* the progress callback, or a signal to the reader of scenes, asked to stop */
    AB_ERROR_OUT_OF_MEMORY = -9,
    AB_ERROR_INTERNAL = -10
};

/* Filled in when a function fails; owned by the caller. Text is one line of UTF-8, cut at a character
 * boundary if it is too long. Control characters in text from a file become \xNN or \uNNNN, so that the text
 * is safe for a terminal. */
typedef struct ab_error {
    uint32_t struct_size;
    ab_status code;
    int64_t byte_offset; /* in the input; -1: none */
    int64_t line;        /* in a text input, from 1; -1: none */
    char field[64];      /* the field at fault; "": none */
    char message[512];   /* one sentence: file, position, what was found, what is allowed */
} ab_error;

/* Called repeatedly during long work, with a fraction from 0 to 1. Return non-zero to cancel. Must not throw
 * or jump out of the library. */
typedef int32_t (*ab_progress)(void* user, double fraction);

typedef struct ab_job {
    uint32_t struct_size;
    ab_progress progress; /* can be NULL */
    void* user;
} ab_job;

typedef struct ab_buffer ab_buffer;     /* bytes owned by the library */
typedef struct ab_document ab_document; /* one file of one format, losslessly; immutable */
typedef struct ab_curves ab_curves;     /* curves for the bones of an armature; immutable */

/* ---- the library ---- */

AB_API int32_t ab_abi_version(void);
AB_API const char* ab_version(void);
AB_API const char* ab_status_name(ab_status status);
/* The tables of formats and of exact conversions between them, with all their options (docs/options.md):
 * {"formats": [{"id", "title", "extensions", "check_levels", "reads", "writes", "options": {call:
 * [option]}}], "conversions": [{"from", "to", "options": [option]}], "read": [option], "retarget": [option]}.
 * A call is "skeleton" (ab_skeleton_json), "to_curves" (ab_curves_from_document), "from_curves",
 * "from_samples" (ab_document_from_...) or "reduce". An option is {"name", "type", "default" (null: none;
 * "without" then says what happens), "unit", "zero": what 0 means, "null": whether null is allowed,
 * "required", "allowed": in words, "command": the flag, "help"}, with "low", "high" and "above_low" for
 * numbers, "choices", and "members" for objects. */
AB_API ab_status ab_formats_json(ab_buffer** out, ab_error* error);
/* Runs the command `animbridge` in this process, with `count` words in UTF-8 (on POSIX: any bytes), without
 * the program's name. It prints to the standard streams and returns the exit code (docs/command.md).
 * `options_json`: NULL, or {"scene_reader"} of the table "read". Call it in a separate process: an
 * interruption ends the process. */
AB_API int32_t ab_command(const char* const* words, size_t count, const char* options_json);
/* Ends this process, with the exit code 1, as soon as nobody can read from the pipe `descriptor`, to which it
 * writes: for a process that is useless without its parent. Returns at once. Does nothing if `descriptor` is
 * not a pipe, if no thread can be started, and on Windows. */
AB_API void ab_end_with_reader(int32_t descriptor);
/* Turns any text into a file name without its `ending` (".anim", "_2.anim"; at most 64 bytes). The result is
 * UTF-8, not empty, a name rather than a path, and not the name of a device. It has no control characters and
 * none of <>:"/\|?*. It fits a file system together with its ending and 7 more bytes. A valid name stays
 * unchanged. `words` can hold any bytes, and can be NULL if `size` is 0. The caller must handle names that
 * differ only in case. */
AB_API ab_status ab_file_stem(const char* words, size_t size, const char* ending, ab_buffer** out,
                              ab_error* error);

AB_API const uint8_t* ab_buffer_data(const ab_buffer* buffer); /* NULL for NULL */
AB_API size_t ab_buffer_size(const ab_buffer* buffer);         /* bytes; JSON and text have no final NUL */
AB_API void ab_buffer_free(ab_buffer* buffer);

/* ---- documents ---- */

/* Parses bytes. `format`: NULL to recognise the format, including AnimBridge's own JSON, from the content.
 * `name` is used in messages and can be NULL. Text that breaks the rules of its format, such as a BVH with a
 * wrong number of frames, is read as far as it makes sense, and ab_document_check reports the rest.
 * `options_json`: the table "read" of ab_formats_json. {"strict": true} refuses such text; the others are
 * limits for scenes (FBX, glTF and the like), which the program animbridge-scene reads. If `name` is a path,
 * its folder is where the files are that a scene names. Time is linear, except n log n in the keys of one
 * JSON object. */
AB_API ab_status ab_document_read(const uint8_t* data, size_t size, const char* format, const char* name,
                                  const char* options_json, ab_document** out, ab_error* error);
AB_API ab_status ab_document_read_file(const char* path, const char* format, const char* options_json,
                                       ab_document** out, ab_error* error);
AB_API void ab_document_free(ab_document* document);
AB_API const char* ab_document_format(const ab_document* document); /* format id; NULL for NULL */
/* The document as a file of its format. How much of it is identical to the input depends on the format:
 * - Binary (.anim, .oni, a raw record (.oban), a level): every byte, for every file that ab_document_read
 * accepts.
 * - Text (BVH, OniSplit's XML): every value, in AnimBridge's own layout. Blanks, comments, the spelling of
 *   numbers, and the name in OniSplit's older XML are lost. Reading and writing the result again gives the
 *   same bytes. For a BVH that was read leniently, the values that were read are written.
 * - AnimBridge's JSON: the file that it describes, in its "format".
 * - A scene that was read: the file's bytes. One that was made is written by the program that
 *   `options_json` (the table "read", or NULL) starts and limits.
 * - A record of a level (ab_document_child): the record's bytes in the level. If bytes follow its keys (a
 *   "tail", which no known program writes), ab_document_read refuses the result, because a raw record has no
 *   room for them. ab_document_json keeps them, and so does ab_document_edit with {"container": "oni"}; "raw"
 *   and "xml" drop them. */
AB_API ab_status ab_document_write(const ab_document* document, const char* options_json, ab_buffer** out,
                                   ab_error* error);
/* Writes a new file and moves it to `path`: if the call fails or the process ends, an existing file stays as
 * it was. A symbolic link is followed; a FIFO or device is written into. A new file has the permissions of
 * the umask, and a replaced file keeps its own. After a power cut, a replaced file is either the old or the
 * new one. */
AB_API ab_status ab_document_write_file(const ab_document* document, const char* path,
                                        const char* options_json, ab_error* error);
/* The whole document as JSON. ab_document_read turns it back into an equal document. */
AB_API ab_status ab_document_json(const ab_document* document, ab_buffer** out, ab_error* error);
/* A summary of the document: what `animbridge info --json` prints. */
AB_API ab_status ab_document_info(const ab_document* document, ab_buffer** out, ab_error* error);
/* The findings that `animbridge check --json` prints; `level`: "playback", "upload" or "strict", each of
 * which contains the previous one. NULL: "upload" for Second Life animations, "playback" for others. For a
 * BVH, this checks what ab_document_write writes; the command also checks the text of the file. */
AB_API ab_status ab_document_check(const ab_document* document, const char* level, ab_buffer** out,
                                   ab_error* error);
/* Plays both documents and measures the differences: what `animbridge compare --json` prints. */
AB_API ab_status ab_document_compare(const ab_document* a, const ab_document* b, const ab_job* job,
                                     ab_buffer** out, ab_error* error);
/* A copy of the document with other values. Keys, and everything that `edits_json` does not name, stay bit
 * for bit. `edits_json`: one or more of the options "edited" of the format (docs/options.md):
 * - .anim: any of "base_priority", "emote_name", "loop" (true or false), "loop_in_point", "loop_out_point",
 *   "ease_in_duration", "ease_out_duration" (seconds), "hand_pose" (0 to 13) and "joint_priorities": {joint:
 *   priority}. Any value that the file can hold is allowed.
 * - BVH: "decimals": the number of decimals to write, or null for as few as read back to the same number.
 * - OBAN: any of "flags" (a number; or an array of names, which keeps bits without a name),
 *   "half_stop_frame", "frame_length", "name" and "container" ("raw", "oni", "xml"; ab_document_info lists
 *   under "lost_in_xml" what XML cannot hold).
 * *report (can be NULL): {"findings": what ab_document_check of level NULL finds in the copy and not in the
 * document, such as a base priority that the viewer lowers}. */
AB_API ab_status ab_document_edit(const ab_document* document, const char* edits_json, ab_document** out,
                                  ab_buffer** report, ab_error* error);
/* How well the motion plays, as numbers (docs/clip-tools.md, "How good is it?"): {"seconds", "keys",
 * "shake_degrees", "largest_shake_degrees", "shakiest_joint", "jitter_degrees_per_second3", "loop":
 * {"in_seconds", "out_seconds", "seam_degrees", "seam_mm", "seam_joint"}, "travel": {"way_metres",
 * "metres_per_second", "heading_degrees"} or null, "feet": {"contact_seconds", "slide_mm_per_second",
 * "depth_mm", "float_mm", "implied_metres_per_second"} or null, "overlap": {"depth_mm", "joints": two names
 * or none, "at_seconds" or null} or null}. A .anim also has "redundant_bytes", "stop_delay_seconds" and
 * "outro_seconds". `job` may be NULL. AB_ERROR_INVALID_ARGUMENT: the format has no skeleton. */
AB_API ab_status ab_document_quality(const ab_document* document, const ab_job* job, ab_buffer** out,
                                     ab_error* error);
/* Joins documents of one format, one after another: MRTK recordings. `options_json`: {"gap_seconds": 0}, how
 * long the last pose is held before the next recording. *report (can be NULL): {"recordings", "version",
 * "duration_seconds", "seam_keys", "held_curves" (curves that repeated, and now hold their ends),
 * "left_out_gaze_keys", "left_out_trailing_bytes"}. AB_ERROR_INVALID_ARGUMENT: fewer than two, or of a format
 * that cannot be joined. */
AB_API ab_status ab_document_join(const ab_document* const* documents, size_t count, const char* options_json,
                                  ab_document** out, ab_buffer** report, ab_error* error);
/* The document without the keys that its player does not need; the other keys stay bit for bit. For .anim.
 * `options_json`: {"max_position_mm": 0.5 (the default), "max_rotation_degrees": a tenth of that} is the
 * bound on the difference from what the input plays, at all its key times and the midpoints. {"fit_bytes":
 * 250000} finds the smallest bound in that ratio whose result has at most that size; AB_ERROR_REJECTED if
 * even one key per track is too large. With both, the bound is at least the given one. *report (can be NULL):
 * {"bytes_before", "bytes_after", "keys_before", "keys_after", "max_position_error_mm",
 * "max_rotation_error_degrees", "worst", "errors" (as ab_document_compare's), "bound"}; "bound" is null if
 * the input already fits. */
AB_API ab_status ab_document_reduce(const ab_document* document, const char* options_json, const ab_job* job,
                                    ab_document** out, ab_buffer** report, ab_error* error);
/* A copy with the findings mended that mend themselves; everything that needs no change stays bit for bit.
 * For .anim (docs/fixes.md). `options_json`: the options "fixed" of the format (docs/options.md): {"only":
 * [ids of findings], "keep_shape": bool, "use_spine": bool, "purpose": text}; NULL: none. *undeform (can be
 * NULL): a document that puts back the joints that stay displaced after the copy has played; NULL if there
 * are none. *report (can be NULL): {"fixed": [{"rule", "what", "joints", "max_degrees", "max_mm"}], "left":
 * [{"rule", "reason"}], "findings_before", "findings_after": as ab_document_check lists them}. A mend is left
 * out if its finding does not go, if it would cause another one, or if it would move more than it says.
 * AB_ERROR_INVALID_ARGUMENT: findings of the format do not mend themselves. */
AB_API ab_status ab_document_fix(const ab_document* document, const char* options_json, ab_document** out,
                                 ab_document** undeform, ab_buffer** report, ab_error* error);
/* What the target program stores instead of the file. For .anim: what the viewer makes of it on upload
 * (docs/second-life-format.md, "What an upload changes"). *findings (can be NULL) is what a check of level
 * "upload" finds. If the program refuses the file: AB_ERROR_REJECTED, and *findings says why. */
AB_API ab_status ab_document_as_stored(const ab_document* document, ab_document** out, ab_buffer** findings,
                                       ab_error* error);
/* One document of a file that holds several: for a level (.dat), an OBAN whose file is the record's bytes.
 * `name`: with or without the tag OBAN, or "#" and the number of the instance; NULL if there is only one.
 * ab_document_info of a level lists the names. */
AB_API ab_status ab_document_child(const ab_document* document, const char* name, ab_document** out,
                                   ab_error* error);
/* The level with the keys, flags and matrices of one animation replaced. The ids and name of that animation
 * stay, and so do the bytes of all other instances, all instance flags and the order. */
AB_API ab_status ab_document_with_child(const ab_document* document, const char* name,
                                        const ab_document* child, ab_document** out, ab_error* error);

/* Converts a file, like `animbridge convert`. The extensions of the names select the formats. `options_json`:
 * {"as_stored": bool, "input_format": format id, "edits": as in ab_document_edit, "strict": bool,
 * "conversion": options of the conversion between the two formats (docs/command.md), "retarget": options of
 * retargeting (docs/options.md), which then happens even if an exact conversion exists; null: only if the
 * input's joints are not those of the output's skeleton; false: never; "onto": the path of a file whose
 * skeleton gets the motion, "to": the output's format, where several have its extension ("pose" for an .xml;
 * without it the input's, or OniSplit's), "certificate": true to have one in the report's "certificate"
 * (docs/schemas/certificate.schema.json)}. *report (can be NULL) is a JSON object. Its "refused" lists why
 * the output's target program refuses the output, which is written anyway; its "edits" is the report of the
 * edits, and "retarget" that of the retargeting, if there are any. */
AB_API ab_status ab_convert_file(const char* input_path, const char* output_path, const char* options_json,
                                 const ab_job* job, ab_buffer** report, ab_error* error);

/* ---- skeletons and poses ---- */

/* The skeleton in its rest pose. Either `document` or `format` can be NULL. A format with one skeleton for
 * all files needs no document.
 * - .anim: the avatar, whatever the file. {"joints": [{"name", "kind", "parent", "aliases", "position",
 *   "rotation_wxyz", "end", "group", "support", "on_screen"}]}. Positions are in metres in the parent's
 *   frame, with +X forward and +Z up. "on_screen": a point of the HUD, not of the avatar.
 *   "animation_states": the names that the viewer knows as emotes.
 * - BVH: the document's joints in armature space. `options_json`: "forward", "up" and "scale" as in
 *   ab_curves_from_document. {"frame_time_seconds", "frame_count", "duration_seconds": (frame_count - 1) *
 *   frame_time_seconds, "axes_wxyz": C, "height": the figure's at rest, in the file's unit, "human_scale":
 *   the "scale" that gives it a human's height (docs/bvh.md), "joints": [{"name": a name for the bone: UTF-8,
 *   unique, 1 to 63 bytes; "file_name", "parent": index or -1, "head", "tail": the centre of the children's
 *   heads and the end sites, never equal to the head; "has_positions", "rotation_channels": their letters in
 *   file order, "euler_order": the Euler order of Blender with the same angles as the file, null if an axis
 *   occurs twice}], "standing_axes": without "forward" and "up", the axes along which the body of the file
 *   stands, if they are not the usual ones; else {}}. Positions beyond 1e30 are AB_ERROR_BAD_VALUE.
 * - MRTK: the bones that play the recording; without a document, two flat hands. `options_json`: "rig":
 *   "exact" (default: a bone at the origin for each recorded pose, without parents) or "hands" (joints form a
 *   hierarchy); "rest": "tracked" (default) or "flat"; "rest_seconds". {"joints": [{"name", "parent": index
 *   or -1, "hand": "left", "right" or null, "head", "rotation_wxyz": of the bone's axes, "length"}],
 *   "properties": the names of the object's custom properties}. With "bone_names", the names of an armature's
 *   bones, also "is_character": whether an export must find the hands in it, because its bones do not have
 *   the names of a recording's joints. */
AB_API ab_status ab_skeleton_json(const char* format, const ab_document* document, const char* options_json,
                                  ab_buffer** out, ab_error* error);

/* The caller's arrays for poses; each can be NULL. Quaternions are w, x, y, z. A value is NaN if the file has
 * no such track, or the skeleton lacks the joint. */
typedef struct ab_pose {
    uint32_t struct_size;
    uint32_t reserved;
    size_t joint_capacity;   /* joints per time in the arrays; see ab_document_joint_count */
    double* clip_seconds;    /* [time] */
    double* ease_weights;    /* [time], 0 to 1 */
    double* local_rotations; /* [time][joint][4], in the parent's frame */
    double* local_positions; /* [time][joint][3] */
    double* world_rotations; /* [time][joint][4], in skeleton space, other joints at rest */
    double* world_positions; /* [time][joint][3] */
} ab_pose;

/* The number of joints that the player poses: for .anim the joints of the file in its order, the first of
 * each name; for BVH all; for OBAN one, the object; for MRTK the camera and the joints that have keys. 0 if
 * the document cannot be played. */
AB_API size_t ab_document_joint_count(const ab_document* document);
/* The poses that the player shows at `count` times, in seconds from the start of the animation.
 * stop_time_seconds < 0: it does not stop. A .anim is in metres with mPelvis at 0. A BVH, OBAN or MRTK
 * recording is in the file's axes and unit. */
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

/* An armature in Blender's terms. */
typedef struct ab_armature {
    uint32_t struct_size;
    uint32_t bone_count;
    const char* names;          /* bone_count names, each ending in a NUL. If two bones share a name, no BVH
                                   joint is matched to it, and "bones" of an export cannot name it. */
    size_t names_size;          /* bytes of `names`, NULs included */
    const int32_t* parents;     /* index, or -1 for a root; parents in any order, but without cycles */
    const float* rest_matrices; /* bone_count x 16, column-major, armature space, metres:
                                   foreach_get("matrix_local") */
    const uint8_t* flags;       /* AB_BONE_*; NULL: none */
    int32_t facing;             /* AB_FACING_*: where the character looks, in armature space */
    const char* rig_map; /* assigns bones to joints, as JSON (docs/rig-maps.md); NULL: the built-in map */
    const uint8_t* rotation_channels; /* bone_count x AB_CHANNEL_ROTATION_*, not AXIS_ANGLE: the channel for
                                         each bone's rotation in ab_curves_from_document, and its Euler
                                         order for "rotation_order": "native" of a BVH; NULL:
                                         quaternions */
} ab_armature;

/* The built-in rig map, as a start for your own. */
AB_API ab_status ab_rig_map_json(ab_buffer** out, ab_error* error);
/* How the rig map assigns bones to joints: {"facing", "matched": [{"joint", "bone", "by"}],
 * "unmatched_joints": [...], "unmatched_bones": [...]}. If several bones are equally good for one joint, this
 * function and every other one that takes an armature returns AB_ERROR_BAD_VALUE, and the message lists
 * them. */
AB_API ab_status ab_rig_match_json(const ab_armature* armature, ab_buffer** out, ab_error* error);

/* Scene frames: frame = frame_start + seconds * frames_per_second, where frames_per_second is fps /
 * fps_base. */
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
    AB_CHANNEL_ROTATION_ZYX = 8,
    AB_CHANNEL_PROPERTY = 9, /* a custom property of the object, such as a recorded hand's "tracked" */
    AB_CHANNEL_SCALE = 10    /* of a bone; only in curves that the library makes */
};
enum { AB_KEY_CONSTANT = 0, AB_KEY_LINEAR = 1, AB_KEY_BEZIER = 2 };

/* One F-curve, with arrays exactly as foreach_get and foreach_set of its keyframe points use them.
 * AB_ERROR_INVALID_ARGUMENT: the same curve (bone, channel and component) twice in one call, or an unchanged
 * curve without a template. */
typedef struct ab_curve {
    uint32_t struct_size;
    int32_t bone;      /* index into the armature; -1: the object itself (OBAN, and properties) */
    int32_t channel;   /* AB_CHANNEL_* */
    int32_t component; /* array_index of the F-curve */
    uint32_t key_count;
    int32_t unchanged; /* input only; non-zero: unchanged since the import, so the template's record stays and
                          the arrays are not read */
    const float* co;   /* key_count x (frame, value) */
    const uint8_t* interpolation; /* key_count x AB_KEY_*; NULL: all linear */
    const float* handle_left;     /* key_count x (frame, value); NULL unless a key is Bezier */
    const float* handle_right;
    const uint8_t* inserted; /* key_count; non-zero: a key that AnimBridge inserted to follow the viewer's
                                path; NULL: none */
    const char* property;    /* the name of an AB_CHANNEL_PROPERTY; NULL for the other channels. A curve that
                                a function returns owns it. */
    const int32_t* sources;  /* of ab_curves_edit: per key, the given key that it was, counted over all given
                                curves in their order; -1: a new key. Else NULL; not read */
} ab_curve;

/* The curves that play a document on an armature or, if `armature` is NULL, on an object (OBAN).
 * AB_ERROR_BAD_VALUE: a key exceeds the range of floats. AB_ERROR_REJECTED: the document has findings of
 * class *rejected*. `options_json`, and the result of ab_curves_report:
 *
 * - .anim: no options. Locations, and rotations in the armature's rotation_channels. All keys are linear,
 *   with continuous signs and angles. Inserted keys keep Euler angles within 0.01 degrees of what the viewer
 *   shows. Where gimbal lock would need keys closer than 0.02 frames, a warning gives the remaining error.
 *   {"facing", "duration_seconds", "frame_end", "matched": [{"joint", "bone"}], "unmatched_joints": [...],
 *   "inserted_keys", "close_keys": [{"joint", "frame"}...], "warnings": [...]}.
 *
 * - BVH: a key at each frame. "forward" and "up" (one of "X", "Y", "Z", "-X", "-Y", "-Z"; defaults "-Z" and
 *   "Y") are the file's axes that become +Y and +Z of armature space, which gives a rotation C. "scale"
 *   (default 1) is the length of the file's unit in metres of armature space: p_armature = scale * C p_file,
 *   q_armature = C q C^-1. Position channels replace the OFFSET. Rotations are multiplied in the channels'
 *   order: "Zrotation Xrotation Yrotation" is qz * qx * qy, which is Blender's Euler order YXZ with the same
 *   angles. "match": "names" (equal names only) or "rig_map" (default: then names that are equal without
 *   case, namespace and prefixes, then names that the rig map assigns to the same joint; ambiguous ones are
 *   not matched). "fit_height": true scales positions by the ratio of the hips' heights instead of by "scale"
 *   (default false). With "rig_map", C is rotated about the armature's Z in quarter turns until the matched
 *   joints are closest to their bones at rest, so that the motion goes where the armature faces; "forward" of
 *   the report is the result. armature.facing is not read; two bones for one joint of the map are not an
 *   error. A bone whose rest axes are C and whose Euler order is the file's gets the file's own angles in
 *   radians, without unwinding; for other bones, signs and angles are continuous. Joints without a bone pass
 *   their motion on to the joints below. Bones of joints with position channels get locations. {"matched":
 *   [{"joint", "bone"}], "unmatched_joints", "unmatched_bones", "duration_seconds", "frame_end", "forward",
 *   "scale", "warnings"}.
 *
 * - OBAN: seven curves (location 0 to 2, quaternion 0 to 3; ab_curve.bone is -1), one key per key of the
 *   file, linear, with continuous signs, at timing.frame_start + time * frames_per_second / 60. In the file,
 *   Y is up, one unit is 0.1 m, and there are 60 frames per second. With A(f) = T(position) R(rotation) Base
 *   of the file, S the scale by 0.1 and K the rotation about X by 90 degrees from Y up to Z up, the object's
 *   world matrix in Blender is G S K A(f) S^-1 with "axes": "file" (default; for cameras, and for meshes with
 *   vertices in the file's axes, in metres), and G S K A(f) K^-1 S^-1 with "axes": "blender" (for meshes
 *   converted to Z up). G, "origin", is the world matrix of the object that a local animation (flag ZAxisUp)
 *   is relative to: a rigid matrix of 16 numbers, column-major, in metres; null: none. The curves are T R of
 *   that matrix; rotations have the length that they have in the file. Base, in the same axes and metres, is
 *   reported separately. {"frame_end", "duration_seconds", "base": "none", "scale" (a positive diagonal) or
 *   "matrix", "base_scale": [x, y, z], null for "matrix"; "base_matrix": 16 numbers, column-major, "flags":
 *   [names], "flags_value", "frame_length", "frame_count", "half_stop_frame" (of the file),
 *   "half_stop_scene_frame" (null for 0), "name", "keys", "warnings"}.
 *
 * - MRTK, for an armature whose bones have the names from ab_skeleton_json. Its options, and "signs":
 *   "continuous" (default) or "recorded". With "rig": "exact", each key of the file is a key, with its
 *   tangents and weights as handles; the world's Y and Z are swapped. With "hands", the joints of a hand have
 *   keys at all key times of the hand, and inserted keys between them keep the joints within 0.5 mm and 0.25
 *   degrees of the recording; a warning says if that needs too many. Tracked and pinch are curves of the
 *   object's custom properties (AB_CHANNEL_PROPERTY): "tracked_left", "tracked_right", "pinch_left",
 *   "pinch_right". {"duration_seconds", "frame_end", "matched": [{"joint", "bone"}], "unmatched_joints",
 *   "close_keys", "repeating_curves": how many curves repeat in the file before or after their keys; the new
 *   ones do not; "max_position_error_mm", "max_rotation_error_degrees" (of "hands", between keys),
 *   "warnings"}.
 *
 * - Poses: one key for each number, at timing.frame_start, with scales (AB_CHANNEL_SCALE) along the bones'
 * own axes. {"duration_seconds": 0, "frame_end", "matched": [{"joint", "bone"}], "unmatched_joints",
 *   "close_keys", "warnings"}. */
AB_API ab_status ab_curves_from_document(const ab_document* document, const ab_armature* armature,
                                         const ab_timing* timing, const char* options_json, const ab_job* job,
                                         ab_curves** out, ab_error* error);
AB_API size_t ab_curves_count(const ab_curves* curves);
/* Fills *out (struct_size set by the caller) with pointers into `curves`. */
AB_API ab_status ab_curves_get(const ab_curves* curves, size_t index, ab_curve* out, ab_error* error);
AB_API ab_status ab_curves_report(const ab_curves* curves, ab_buffer** out, ab_error* error);
AB_API void ab_curves_free(ab_curves* curves);

/* Clip tools on F-curves (docs/clip-tools.md). Give all curves that play together: those that move a bone in
 * its rotation mode as curves of the bone, and all others as AB_CHANNEL_PROPERTY, each with a name of its
 * own; only tools that change times change those. The armature stands upright, so that Z is up.
 * timing.frame_start is where the motion begins. The result has the curves that changed, with all their keys;
 * one without keys is to be removed. A channel that changed has all its components. `options_json`:
 * - "frame_end": where the motion ends (required);
 * - "markers": [{"name", "frame"}], which move with the motion; "loop_in" and "loop_out" are the loop, else
 * it is the whole;
 * - "trim": [first, last], frames; what is between them moves to timing.frame_start;
 * - "tools": the clip tools of docs/options.md;
 * - "pose_edit": {"frame", "falloff_frames": to either side, null for everywhere, "bones": [{"bone": index,
 *   "rotation_wxyz": about the bone's own axes, "location"}]}, a change of the pose at one frame, spread over
 *   the keys that exist;
 * - "rig": the text of a rig file for the parts of the body; without it, they are found;
 * - "split_seconds": at least 1: the report's "cuts" are the frames at which the fewest parts of this length
 *   begin, after the first one.
 * Without any tool, nothing changes, and the report has the numbers of the motion. The report: {"frame_end",
 * "markers", "tools": [{"tool", "what"}], "before" and "after": the numbers of ab_document_quality, with
 * the armature's unit for a metre; after "mirror" also "mirrored": [[bone, bone]]. */
AB_API ab_status ab_curves_edit(const ab_armature* armature, const ab_timing* timing, const ab_curve* curves,
                                size_t count, const char* options_json, const ab_job* job, ab_curves** out,
                                ab_error* error);

/* ---- from a scene to a document ---- */

/* A document of `format` from the curves of an armature or, if `armature` is NULL, of an object (OBAN).
 * `template_document` (can be NULL): the document that the curves came from; what is unchanged keeps its
 * bits. *report (can be NULL) gives the difference between the curves and the new file, written, read back
 * and played.
 *
 * - .anim. Joints of the template without a bone, and curves marked unchanged, keep their record bit for bit.
 *   Joints whose bone no longer has curves are dropped. Where a segment is not linear, keys are inserted at
 *   whole frames. `options_json`:
 *     "frame_end": the last frame of the animation: duration = (frame_end - frame_start) / frames_per_second.
 *       Required unless "keep_duration" is true, which keeps the exact duration of the template.
 *     "header": {"base_priority", "joint_priority" (-1 to 6; for joints that the template lacks), "loop",
 *       "loop_in_seconds", "loop_out_seconds", "ease_in_seconds", "ease_out_seconds", "hand_pose" (0 to 13),
 *       "emote"} of a new file. A template keeps its own header.
 *     "joint_priorities": {joint: priority}, by any name that the viewer accepts for the joint; sets all its
 *       records. Joints without keys have none.
 *     "encoder": "upload" (default), "nearest" or "viewer".
 *     "target": "second_life" (default) refuses more than 60 s, or more than 250,000 bytes after the
 *       upload, with AB_ERROR_REJECTED; the message says by how much, and what helps. For
 *       "opensim", whose grids set their own limits, both are findings.
 *     "fit_bytes": 0 (default): the limit of the target. Otherwise keys of all tracks, even unchanged ones,
 *       are dropped with the smallest error that makes the file no larger.
 *     "size_curve": true adds "size_curve" to the report: [{"bytes", "position_error_mm",
 *       "rotation_error_degrees", "max_position_mm", "max_rotation_degrees"}] of smaller and smaller files.
 *     "stop_above_mm" (of every format; default 20): if a joint is farther than this from its position in the
 *       scene, AB_ERROR_REJECTED, and no document; the message names the joint and the time. 0: never. A
 *       larger "max_position_mm" is used instead.
 *   The report: {"duration_seconds", "joints", "changed": [...], "kept": [...], "dropped": [...],
 *   "max_rotation_error_degrees", "max_position_error_mm", "worst", "warnings": [...], "details": [...],
 *   "findings": [...], "size_bytes"}: warnings need a decision, and details say what else the file leaves out
 *   or changes. Errors are measured at every key and at the midpoints. AB_ERROR_REJECTED: the target would
 *   refuse the new document, so there is none.
 *
 * - BVH. One joint per exported bone, depth first; the motion of a skipped bone is part of the joints below
 *   it. OFFSETs are the differences of the bones' heads, and joints have no rest rotation in the file's axes.
 *   Frame i of the file is at timing.frame_start + i * frame_step. Unchanged curves need no arrays.
 *   `options_json`: "forward", "up", "scale" as for ab_curves_from_document (from the file to the armature).
 *   "forward" can also be "auto": the character faces the file's +Z, or -Y if Z is up; in the armature it
 *   faces armature.facing, else the direction that the rig map finds, else -Y. "frame_count" (required, 1 to
 *   1048574); "frame_step" (in scene frames, default 1); "frame_time_seconds" (default frame_step /
 *   frames_per_second); "rotation_order": three channel letters (default "ZXY") or "native" (each bone's
 *   Euler order in armature.rotation_channels, ZXY for quaternions); "positions": "root", "moving" (default:
 *   roots, and bones that leave their rest position by more than 0.1 mm) or "all"; "bones": names, or null
 *   for all; "tails": per bone the [x, y, z] of its end site in armature space, if it is a leaf, or null;
 *   "names": {bone: joint} or null. Angles are continuous and rounded to 6 decimals; a bone whose rest axes
 *   are the file's and whose order is the joint's keeps its own angles. With a template, bones with the names
 *   of its joints (as ab_skeleton_json returns them) keep its order, channels, end sites and offsets, and
 *   channels marked unchanged keep its numbers if the frames are the same. The report: {"joints", "frames",
 *   "forward", "moved_joints": [...], "max_rotation_error_degrees", "max_position_error_mm", "worst",
 *   "warnings", "details"}, with errors at every frame.
 *
 * - OBAN, for an object that only its curves move: location and quaternion curves as ab_curves_from_document
 *   returns them, linear, and the object's constant "base_matrix" (16 numbers, default identity: its scale).
 *   Keys stay where they are; if the first one is after the start, its value is held from frame 0.
 *   AB_ERROR_INVALID_ARGUMENT unless all curves have keys at the same frames, at whole frames of the file
 *   (within 0.001 or float precision), and quaternions of length 1 with continuous signs; use samples in that
 *   case. If one curve of a channel is unchanged, the template's channel stays. The other options and the
 *   report are those of ab_document_from_samples.
 *
 * - MRTK, for bones without parents that have the names of poses; AB_ERROR_INVALID_ARGUMENT if one has a
 *   parent: sample it. Keys keep their tangents and weights. Unchanged curves, and poses of the template
 *   without a bone, keep their bytes, and so do single keys that were not moved. `options_json`: "version":
 *   "auto" (default), "1.0" or "1.1"; "marker_names" and "marker_seconds": the file's markers, null for the
 *   template's; "keep_others": false leaves out the template's poses without a bone; "stop_above_mm". Curves
 *   that repeat in the template do so in the file too. The report: {"version", "size_bytes", "joints",
 *   "keys", "duration_seconds", "max_position_error_mm", "max_rotation_error_degrees", "worst", "warnings",
 *   "findings"}, with errors at every key and at the midpoints. */
AB_API ab_status ab_document_from_curves(const char* format, const ab_armature* armature,
                                         const ab_timing* timing, const ab_curve* curves, size_t count,
                                         const ab_document* template_document, const char* options_json,
                                         const ab_job* job, ab_document** out, ab_buffer** report,
                                         ab_error* error);

/* Poses that Blender has evaluated, with constraints, drivers and control rigs. */
typedef struct ab_samples {
    uint32_t struct_size;
    uint32_t sample_count;
    const double* frames; /* sample_count, ascending; the first is timing.frame_start. Not read for an object,
                             whose samples are at the file's frames 0, 1, 2, ... */
    const float* matrices;        /* [sample][bone][16], column-major, armature space, metres:
                                     pose.bones.foreach_get("matrix"); scale is ignored, and reported */
    const float* object_matrices; /* [sample][16], column-major. For an armature: rest^-1 * world of the
                                     object, which moves the root; NULL: it does not move. For an object, and
                                     for MRTK: its world matrix. */
    const uint8_t* bones; /* per bone: 0 not exported, 1 exported, 2 exported if it leaves its rest pose by
                             more than 0.01 degrees or 0.1 mm; NULL: all exported */
} ab_samples;

/* Like ab_document_from_curves, from evaluated poses. A matrix that is not a transform (not numbers, or an
 * axis of length 0) is AB_ERROR_BAD_VALUE, and the message names the bone and the sample.
 *
 * - .anim. Every exported bone with a joint gets a rotation track (with one key if it holds still); mPelvis,
 *   and joints that leave their rest position by more than 0.1 mm, get a position track. Joints that only
 *   bones without a joint move get none: a warning names them, and the error includes them. No sample can be
 *   after the end of the animation. Options as for curves, and "max_position_mm" (default 0.5) and
 *   "max_rotation_degrees" (default 0.05); if either is 0, every sample becomes a key. Else the file has few
 *   keys, at samples and with values of their own. As the viewer plays it at every sample (with "encoder":
 *   "upload", after the upload), every joint of the avatar is within max_position_mm of its position and
 *   every local rotation within max_rotation_degrees. If no keys can do that, because of the format's
 *   precision, a warning reports it. Records of the template whose joint has no exported bone stay bit for
 *   bit. The report also has "sampled_keys", "kept_keys" and "bound" ({"max_position_mm",
 *   "max_rotation_degrees"} or null). Errors are those at the samples, of the file that the bound applies to.
 *
 * - BVH. The samples are at the file's frames; everything of the template except the numbers of the motion is
 *   kept. ab_samples.bones: any value but 0 exports the bone. Options and report as for curves.
 *
 * - OBAN. Scale, shear and mirroring become part of Base if they are constant to one part in 10,000.
 *   AB_ERROR_BAD_VALUE with the file's frame: they change, or a matrix is flat or does not hold numbers.
 *   `options_json`: "axes", "origin" as for ab_curves_from_document; "flags": a number; "half_stop_frame": in
 *   frames of the file; "frame_length" (default 1); "name": without tag; "container": "oni" (default), "xml"
 *   or "raw"; "max_position_mm" (default 1) and "max_rotation_degrees" (default 0.05): the bound for dropping
 *   keys; if either is 0, every key stays; "camera": true adds the script lines for a camera (default false);
 *   "door": null, or {"mirror": true}: the given animation is the opening half, the closing half is its
 *   reverse, and half_stop_frame is where they meet. Keys are dropped as long as the player stays within the
 *   bound at every frame, for the object's origin and, if the template's Base moves the origin, for the
 *   rotation's centre too. Of the keys that stay, except the first and last, none can be dropped alone. With
 *   a template, what the options do not name stays (flags, half_stop_frame, frame_length, name, container and
 *   padding; with the container and name also the ids and everything around the record in a .oni; Base if it
 *   still fits), and keys with unchanged values stay bit for bit. If the scene matches the template at every
 *   frame, within float precision, all keys of the template stay. A warning reports a .oni that had to be
 *   replaced by a new file. More than 32767 frames are AB_ERROR_BAD_VALUE. The report: {"keys",
 *   "sampled_keys", "frames", "max_position_error_mm", "max_rotation_error_degrees", "worst", "worst_frame",
 *   "bound" (null: none), "base", "base_scale", "base_matrix", "findings", "warnings", "script": [lines for
 *   the game's level script]}, with errors against the samples at every frame.
 *
 * - MRTK. The bones' poses in the world, whatever their parents, with straight lines between keys. Bones with
 *   the names of a recording's joints have them in armature space, from which the object moves them after the
 *   first sample; those of a character are rotated, scaled and moved by its object. Options and report as for
 *   curves, and "max_position_mm" (default 0.1) and "max_rotation_degrees" (default 0.02): keys are dropped
 *   as long as lines stay that close to the samples; 0: all stay. "tracked_left", "tracked_right",
 *   "pinch_left", "pinch_right": the seconds at which each begins and ends, in turn; null: the template's. If
 *   no bone has the name of a recording's joint, the hands of the character are found; "rig": a rig file
 *   (docs/rig-maps.md) that names their bones, "" (default): by names and positions; "tails": per bone the
 *   [x, y, z] of its tail in armature space, or null. The report then has "hands": {"convention", "bones":
 *   {joint: bone}, "placed": [joints without a bone of their own], "missing"}. AB_ERROR_INVALID_ARGUMENT if
 *   there is no hand. */
AB_API ab_status ab_document_from_samples(const char* format, const ab_armature* armature,
                                          const ab_timing* timing, const ab_samples* samples,
                                          const ab_document* template_document, const char* options_json,
                                          const ab_job* job, ab_document** out, ab_buffer** report,
                                          ab_error* error);

/* ---- any rig onto any rig ---- */

/* Which body parts the joints of a document's skeleton or, without a document, the bones of an armature are:
 * what `animbridge rig --json` prints (docs/rig-maps.md): {"convention", "score", "facing", "height_metres",
 * "slots": {slot: {"joint", "by", "score"}}, "chains", "missing", "unmapped", "warnings"}; for a document
 * also "moves_person": whether the motion is that of a person, and moves a limb; for an armature also
 * "stands_at_rest": whether its head is above its hips, and these above its feet, within 45 degrees. One of
 * the two is NULL.
 * `options_json`: "rig": the text of a rig file, instead of the built-in ones; "use": "source" (default) or
 * "target", which decides between the deform bones and the controls of a rig that has both. */
AB_API ab_status ab_rig_find_json(const ab_document* document, const ab_armature* armature,
                                  const char* options_json, ab_buffer** out, ab_error* error);

/* The built-in rigs, one for each naming convention: an array of rig files (docs/rig-maps.md), each with its
 * "id" and "title". Each can be "rig" of ab_rig_find_json, which then looks only for this convention. */
AB_API ab_status ab_rigs_json(ab_buffer** out, ab_error* error);

/* Whether an armature is a document's own rig, so that ab_curves_from_document gives the document's motion
 * unchanged; else use ab_curves_from_retargeting. `options_json`: "document": options of the document's
 * format for "to_clip"; "target_rig": the text of a rig file for the armature. The report, in which limbs are
 * upper and lower arms and legs, hands and feet:
 * - "own": every part of the body that both have is matched by its name or the armature's rig map, and limbs
 *   rest alike, within 10 degrees and after quarter turns about Z;
 * - "retarget": it is not, and a retargeting finds at least as many limbs as names do;
 * - "limbs": [slots that the document moves], "matched_limbs": [those with a bone by name or rig map],
 *   "found_limbs": [those that a retargeting finds];
 * - "few_matched", "few_found": whether these are under half of the limbs, so that an import should stop;
 * - "matched_joints": how many joints of the document have a bone by name or rig map;
 * - "unnamed": [slots that both have, under names that don't match];
 * - "rest_degrees": the largest angle between limbs at rest, "rest_slot": where, or null.
 * AB_ERROR_INVALID_ARGUMENT: the document's format has no skeleton. */
AB_API ab_status ab_rig_fit_json(const ab_document* document, const ab_armature* armature,
                                 const char* options_json, ab_buffer** out, ab_error* error);

/* A motion, and the armature that gets it. */
typedef struct ab_retarget {
    uint32_t struct_size;
    uint32_t reserved;
    const ab_document* document; /* the motion of a document; NULL: that of `source` */
    const ab_armature* source;   /* an armature whose poses or curves are the motion; NULL: `document` */
    const ab_samples* samples;   /* the evaluated poses of `source`; its first frame is timing.frame_start;
                                    NULL: `curves` are the motion */
    const float* source_pose;    /* source->bone_count x 16, as rest_matrices: the pose in which the source
                                    stands like the target; "source_reference": "tpose" makes it straight;
                                    NULL: as "source_reference" says */
    const ab_armature* target;
    const float* target_pose; /* the same of the target */
    const ab_curve* curves;   /* curve_count curves of bones of `source`, where these say all that moves it;
                                 a bone without curves is at rest. Not for an armature in which a bone with a
                                 parent does not inherit rotation: AB_ERROR_INVALID_ARGUMENT */
    size_t curve_count;
    const double* frames; /* frame_count, ascending, the first is timing.frame_start: with `curves`, the
                             motion is taken at these, as samples would be; read without samples only */
    size_t frame_count;
} ab_retarget;

/* The curves that make an armature move like another one, or like a document. Options: the table "retarget"
 * of docs/options.md, without the stop. "document": options of the document's format for "to_clip".
 * armature.rig_map and armature.facing are not read. The report: {"retarget": what `animbridge convert
 * --report` writes, "duration_seconds", "frame_end", "matched": [{"joint", "bone"}], "unmatched_joints",
 * "warnings"}; with "only_feet": {"planted": what `animbridge edit --plant-feet --json` writes,
 * "duration_seconds", "frame_end", "warnings"}. AB_ERROR_REJECTED: the rigs have too little in common, or the
 * source does not look like a person; the message says what to do. */
AB_API ab_status ab_curves_from_retargeting(const ab_retarget* retarget, const ab_timing* timing,
                                            const char* options_json, const ab_job* job, ab_curves** out,
                                            ab_error* error);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*) */

#endif /* ANIMBRIDGE_H */
