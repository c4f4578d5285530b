// nlohmann-json as programs use it: parsing, own types, containers, writing.

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using nlohmann::json;

struct Ship {
  std::string name;
  int length = 0;
  double speed = 0;
  std::vector<std::string> ports;
};

void to_json(json& out, const Ship& ship) {
  out = json{{"name", ship.name},
             {"length", ship.length},
             {"speed", ship.speed},
             {"ports", ship.ports}};
}

void from_json(const json& in, Ship& ship) {
  in.at("name").get_to(ship.name);
  in.at("length").get_to(ship.length);
  in.at("speed").get_to(ship.speed);
  in.at("ports").get_to(ship.ports);
}

int main(int argc, char** argv) {
  json all = json::parse(argc > 1 ? argv[1] : R"({"fleet": [], "year": 1931})");
  std::vector<Ship> fleet;
  for (int i = 0; i < 8; ++i) {
    fleet.push_back({"no. " + std::to_string(i), 40 + i, 7.5 * i, {"a", "b"}});
  }
  all["fleet"] = fleet;
  std::map<std::string, size_t> sizes;
  for (const auto& [key, value] : all.items()) sizes[key] = value.size();
  all["sizes"] = sizes;
  for (const Ship& ship : all["fleet"].get<std::vector<Ship>>()) {
    std::cout << ship.name << ' ' << ship.length * ship.speed << '\n';
  }
  std::cout << all.dump(2) << '\n' << json::to_msgpack(all).size() << '\n';
  return all.flatten().size() > 8 ? 0 : 1;
}
