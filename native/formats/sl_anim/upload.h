// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "formats/sl_anim/document.h"
#include "model/finding.h"

namespace animbridge::sl_anim {

/// The asset that an x86-64 viewer without fused multiply-add writes after loading this file, to the bit;
/// where it writes uninitialised memory (behind the NUL of volume names), zeros. The document must have no
/// finding of class *rejected* at level playback.
[[nodiscard]] Document stored_form(const Document& document);

struct UploadPrediction {
    std::vector<Finding> findings;  ///< of level upload
    std::optional<Document>
        stored;  ///< none: the viewer refuses the upload, a finding of class *rejected* says why
};

/// What the viewer would store after an upload of this file.
[[nodiscard]] UploadPrediction predict_upload(const Document& document);

}  // namespace animbridge::sl_anim
