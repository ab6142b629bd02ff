// SPDX-License-Identifier: MIT
#include "convert/all_options.h"

#include "base/options/options.h"
#include "convert/retargeting.h"
#include "model/format/format.h"

namespace animbridge {

Json all_options_json() {
    Json all = registries_json();
    all["read"] = options_json(reading_options());
    all["retarget"] = options_json(retarget_options());
    return all;
}

}  // namespace animbridge
