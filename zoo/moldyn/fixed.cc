// moldyn: molecular dynamics in steps that end at a barrier.
//
// The barrier is the library's, and nothing races.

#include "../zoo.h"

namespace {

constexpr unsigned kParticles = 8;
constexpr unsigned kThreads = 2;
constexpr unsigned kSteps = 3;

long position[kParticles];
long force[kParticles];
long energy[kThreads];

pthread_barrier_t barrier;

void Barrier(unsigned /*thread*/, unsigned /*round*/) {
  pthread_barrier_wait(&barrier);
}

void Forces(unsigned begin, unsigned end) {
  for (unsigned i = begin; i < end; ++i) {
    long sum = 0;
    for (unsigned j = 0; j < kParticles; ++j) {
      if (position[i] < position[j]) ++sum;
      if (position[i] > position[j]) --sum;
    }
    force[i] = sum;
  }
}

void Move(unsigned begin, unsigned end) {
  for (unsigned i = begin; i < end; ++i) position[i] += force[i];
}

void* Simulate(void* argument) {
  const unsigned thread = *static_cast<unsigned*>(argument);
  const unsigned begin = thread * kParticles / kThreads;
  const unsigned end = begin + kParticles / kThreads;
  unsigned round = 0;
  zoo_start();
  for (unsigned step = 0; step < kSteps; ++step) {
    Forces(begin, end);
    Barrier(thread, ++round);
    Move(begin, end);
    Barrier(thread, ++round);
  }
  for (unsigned i = begin; i < end; ++i) energy[thread] += force[i] * force[i];
  return nullptr;
}

}  // namespace

int main() {
  unsigned numbers[kThreads] = {0, 1};
  pthread_barrier_init(&barrier, nullptr, kThreads);
  for (unsigned i = 0; i < kParticles; ++i) position[i] = 10L * i;
  zoo_threads(kThreads);
  const pthread_t one = zoo_spawn(Simulate, &numbers[0]);
  const pthread_t two = zoo_spawn(Simulate, &numbers[1]);
  zoo_join(one);
  zoo_join(two);
  const long total = energy[0] + energy[1];
  if (total != 168) zoo_wrong("energy", total, 168);
  return 0;
}
