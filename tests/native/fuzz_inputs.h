// SPDX-License-Identifier: MIT
#pragma once

#include "base/base.h"

/// The bodies of the fuzz targets, which the tests use to replay former findings. All throw BrokenInvariant.
namespace animbridge::test {

/// A .anim file, and everything that works with the document.
void try_sl_anim_read(ByteView bytes);

/// A BVH, read both ways, and everything that works with the document.
void try_bvh_read(ByteView bytes);

/// A raw OBAN, a .oni or its XML, and everything that works with the document.
void try_oban_read(ByteView bytes);

/// An MRTK recording, read both ways, and everything that works with the document.
void try_mrtk_read(ByteView bytes);

/// A level, and everything that works with it.
void try_oban_level(ByteView bytes);

/// OniSplit's XML, and its numbers against strtof.
void try_oban_xml(ByteView bytes);

/// A viewer pose, and everything that works with the document.
void try_sl_pose_read(ByteView bytes);

/// Numbers separated by blanks, and random doubles, against strtod and snprintf.
void try_numbers(ByteView bytes);

/// A JSON document of any format; a round trip must keep what can be read.
void try_json(ByteView bytes);

/// Arrays for the C interface from arbitrary bytes: an armature, curves, options.
void try_curves(ByteView bytes);

/// Like try_curves, with sampled poses, and then a reduction of the result.
void try_samples(ByteView bytes);

/// Two skeletons, their rigs, and motion from one to the other.
void try_rig(ByteView bytes);

/// A rig file, and the rig that it finds; also a rig map.
void try_rig_file(ByteView bytes);

/// A ledger of a batch: its rows, and the file with one more.
void try_ledger(ByteView bytes);

/// The output of animbridge-scene, and everything that works with the scene.
void try_scene_wire(ByteView bytes);
/// glTF 2; a file that is read must satisfy the guarantees of scene_file::file::Document.
void try_gltf_read(ByteView bytes);

/// A sequence of calls of the C interface: read, edit, curves, export, write, read.
void try_calls(ByteView bytes);

}  // namespace animbridge::test
