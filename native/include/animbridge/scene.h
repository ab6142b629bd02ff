/* SPDX-License-Identifier: MIT */
/* The library animbridge-scene, which has Assimp and ufbx inside: only for the process that ab_document_read
 * and the other calls of animbridge.h start ("scene_reader"). It has one function. */
#ifndef ANIMBRIDGE_SCENE_H
#define ANIMBRIDGE_SCENE_H

#include "animbridge/animbridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Does what the arguments say, as main() gets them, reads standard input, writes standard output, and returns
 * the exit code. Sets limits on the memory and time of the process, closes all files but the three standard
 * streams, and may end the process. The arguments are between the two libraries of one version. */
AB_API int ab_scene_main(int count, char** arguments);

#ifdef __cplusplus
}
#endif

#endif
