/* SPDX-License-Identifier: MIT */
/* The library animbridge-scene, which contains Assimp and ufbx. Only for the process that ab_document_read
 * and the other calls of animbridge.h start ("scene_reader"). It has one function. */
#ifndef ANIMBRIDGE_SCENE_H
#define ANIMBRIDGE_SCENE_H

#include "animbridge/animbridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the program with the arguments of main(): reads standard input, writes standard output, and returns
 * the exit code. Limits the memory and time of the process, closes all files except the three standard
 * streams, and may end the process. The arguments are internal to one version of the two libraries. */
AB_API int ab_scene_main(int count, char** arguments);

#ifdef __cplusplus
}
#endif

#endif
