// What the client of a server says by its exit code.

#include "explore/judge/oracle.h"
#include "finding/printed.h"

namespace fairlead::explore {
namespace {

using finding::Kind;

class ClientOracle final : public Oracle {
 public:
  Opinion Judge(const Evidence& evidence) override {
    const std::optional<Driven>& client = evidence.finished.client;
    if (!client || client->ending.exit_code == 0) return {};
    const std::string how = EndingText(client->ending);
    const auto printed = finding::ReadPrinted("", client->output);
    if (!printed) return {.failures = {PlainFailure(Kind::kClient, how, {})}};
    Failure failure = PlainFailure(Kind::kClient, how + "\n" + printed->cause,
                                   {"it said: " + printed->message});
    failure.said = how;
    return {.failures = {std::move(failure)}};
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeClientOracle(const OracleSetting&) {
  return std::make_unique<ClientOracle>();
}

}  // namespace fairlead::explore
