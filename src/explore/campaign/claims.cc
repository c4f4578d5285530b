#include "explore/campaign/claims.h"

#include <cstring>
#include <optional>

#include "explore/names/namer.h"

namespace fairlead::explore {

void Claims::Learn(const ControlMemory& memory) {
  if (memory.Used(abi::RegionId::kClaims) == 0) return;
  std::optional<Namer> namer;
  for (const abi::ClaimRecord& record :
       memory.Copy<abi::ClaimRecord>(abi::RegionId::kClaims)) {
    std::string message(record.message,
                        strnlen(record.message, abi::kClaimBytes));
    const auto [claim, is_new] = claims_.try_emplace(std::move(message));
    if (is_new) {
      if (!namer) namer.emplace(memory);
      std::string where = namer->Where(record.site, record.site_flags);
      // The call is inlined; the header is not where the claim is.
      if (where.find("fairlead/fairlead.h") == std::string::npos) {
        claim->second.where = std::move(where);
      }
    }
    claim->second.held = claim->second.held || record.held != 0;
  }
}

std::vector<Claim> Claims::Never() const {
  std::vector<Claim> never;
  for (const auto& [message, state] : claims_) {
    if (!state.held) never.push_back({message, state.where});
  }
  return never;
}

}  // namespace fairlead::explore
