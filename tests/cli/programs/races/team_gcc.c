// Parts of a sum, computed by a team of gcc's OpenMP, whose library
// synchronises where nobody sees it.
// RACES: none

#include "others.h"

static int parts[4];
static int bias;

static void Part(int i) { parts[i] = i + bias; }

int main(void) {
  int sum = 0;
  for (int round = 0; round < 2; ++round) {
    bias = round;
    others_team(Part);
    for (int i = 0; i < 4; ++i) sum += parts[i];
  }
  return sum == 16 ? 0 : 1;
}
