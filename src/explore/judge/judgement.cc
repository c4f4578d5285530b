#include "explore/judge/judgement.h"

#include <algorithm>

#include "base/digest.h"
#include "finding/fingerprint.h"

namespace fairlead::explore {

Failure PlainFailure(finding::Kind kind, std::string cause,
                     std::vector<std::string> details) {
  Digester key;
  key.Add(kind);
  key.Add(DigestOf(finding::WithoutNumbers(cause)));
  return {.kind = kind,
          .key = key.Value(),
          .cause = std::move(cause),
          .details = std::move(details)};
}

bool IsOkEnding(const Ending& ending, const std::vector<int>& ok_exits) {
  const int code = ending.exit_code;
  return ending.signal != 0 || code == 0 ||
         std::ranges::find(ok_exits, code) != ok_exits.end();
}

}  // namespace fairlead::explore
