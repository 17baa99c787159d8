#pragma once

#include <string>
#include <vector>

#include "viewer/model/panels/launches.h"
#include "viewer/model/panels/listing.h"
#include "viewer/model/panels/occupancy.h"
#include "viewer/model/panels/roofline.h"
#include "viewer/model/panels/strip.h"

namespace fusebox::view {

/// What a panel shows, in one sentence made of its numbers; empty where there is nothing to say. `book` is at
/// the size that is shown.

/// The report's own sentence of meaning; of the counted case, why that does not tell it.
std::string headline_of_bytes(const Book& book);
std::string headline_of(const Book& book, const LaunchesModel& launches);
std::string headline_of(const std::vector<TimeRow>& times);
std::string headline_of(const std::vector<StripAccess>& accesses);
std::string headline_of(const Listing& mine, const Listing& theirs);
std::string headline_of(const RooflineModel& roofline);
std::string headline_of(const std::vector<OccupancyRow>& rows, const GpuNumbers& gpu);

}  // namespace fusebox::view
