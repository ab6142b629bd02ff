// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "formats/sl_anim/document.h"
#include "model/finding.h"

namespace animbridge::sl_anim {

/// The asset that an x86-64 viewer without fused multiply-add writes after it loads this file, bit for bit.
/// Where the viewer writes uninitialised memory (after the NUL of volume names), the asset has zeros. The
/// document must have no finding of class *rejected* at level playback.
[[nodiscard]] Document stored_form(const Document& document);

struct UploadPrediction {
    std::vector<Finding> findings;  ///< at level upload
    /// Null if the viewer refuses the upload; a finding of class *rejected* says why.
    std::optional<Document> stored;
};

/// What the viewer would store after an upload of this file.
[[nodiscard]] UploadPrediction predict_upload(const Document& document);

}  // namespace animbridge::sl_anim
