// The packed form of site records: what goes in comes out, and damage is
// noticed.

#include "abi/packed_sites.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace fairlead::abi {
namespace {

using Bytes = std::vector<uint8_t>;

void Append(const PackedSite& before, const PackedSite& site, Bytes& bytes) {
  uint8_t packed[kMostPackedBytes];
  const size_t size = PackSite(before, site, packed);
  ASSERT_LE(size, kMostPackedBytes);
  ASSERT_GE(size, kFewestPackedBytes);
  bytes.insert(bytes.end(), packed, packed + size);
}

// Equal neighbours, small steps both ways, and the largest changes there are.
std::vector<PackedSite> Sites() {
  std::vector<PackedSite> sites(5);
  sites[1].fields[kPackedLine] = 18;
  sites[1].fields[kPackedColumn] = 7;
  sites[2] = sites[1];
  sites[3] = sites[2];
  sites[3].fields[kPackedLine] = 3;
  for (uint32_t& field : sites[4].fields) field = 0xffffffff;
  sites[4].fields[kPackedKind] = 0x80000000;
  for (size_t i = 0; i < sites.size(); ++i) {
    sites[i].id = 0x0102030405060708 + i;
    sites[i].anchor = ~sites[i].id;
  }
  return sites;
}

Bytes Packed(const std::vector<PackedSite>& sites) {
  Bytes bytes;
  PackedSite before = {};
  for (const PackedSite& site : sites) {
    Append(before, site, bytes);
    before = site;
  }
  return bytes;
}

TEST(PackedSites, ComeOutAsTheyWentIn) {
  const std::vector<PackedSite> sites = Sites();
  const Bytes bytes = Packed(sites);
  SiteUnpacker unpacker(bytes.data(), bytes.data() + bytes.size());
  PackedSite site = {};
  for (const PackedSite& want : sites) {
    ASSERT_TRUE(unpacker.Next(site));
    EXPECT_EQ(std::to_array(site.fields), std::to_array(want.fields));
    EXPECT_EQ(site.id, want.id);
    EXPECT_EQ(site.anchor, want.anchor);
  }
  EXPECT_FALSE(unpacker.Next(site));
}

TEST(PackedSites, EndWhereTheirBytesDo) {
  const std::vector<PackedSite> sites = Sites();
  const Bytes whole = Packed(sites);
  for (size_t size = 0; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    const Bytes cut(whole.begin(), whole.begin() + static_cast<long>(size));
    SiteUnpacker unpacker(cut.data(), cut.data() + cut.size());
    PackedSite site = {};
    size_t count = 0;
    while (unpacker.Next(site)) ++count;
    EXPECT_LT(count, sites.size());
    EXPECT_FALSE(unpacker.Next(site));
  }
}

TEST(PackedSites, AFieldThatIsUnknownIsDamage) {
  Bytes bytes(64, 0);
  bytes[0] = 0x80;
  bytes[1] = 0x7f;  // bits 7 to 13
  SiteUnpacker unpacker(bytes.data(), bytes.data() + bytes.size());
  PackedSite site = {};
  EXPECT_FALSE(unpacker.Next(site));
}

}  // namespace
}  // namespace fairlead::abi
