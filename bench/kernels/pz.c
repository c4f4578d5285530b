// A compressor of blocks by several threads, as pbzip2 and pigz are: one thread
// makes blocks and queues them, others compress them with an LZ77-like coder,
// the first takes them back in order and folds them into a checksum.
//
//   pz [threads] [blocks]      prints the compressed size and the checksum

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  kMaxThreads = 16,
  kBlockBytes = 1 << 16,
  kQueued = 8,  // blocks under way
  kHashBits = 12,
  kMinMatch = 4,
  kMaxMatch = 255,
};

struct block {
  uint8_t* input;
  uint8_t* output;
  size_t output_size;
  int done;
};

static struct block ring[kQueued];  // block i is at i % kQueued
static long num_made, num_taken;    // of blocks
static int finished;                // no more will be made
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t made = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;

static uint32_t hash_of(const uint8_t* bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word * 2654435761u >> (32 - kHashBits);
}

static void compress(struct block* block) {
  uint32_t heads[1 << kHashBits];
  memset(heads, 0xff, sizeof heads);
  const uint8_t* const input = block->input;
  uint8_t* output = block->output;
  size_t position = 0;
  while (position + kMinMatch <= kBlockBytes) {
    const uint32_t hash = hash_of(input + position);
    const uint32_t candidate = heads[hash];
    heads[hash] = (uint32_t)position;
    size_t length = 0;
    if (candidate != UINT32_MAX) {
      while (position + length < kBlockBytes && length < kMaxMatch &&
             input[candidate + length] == input[position + length]) {
        ++length;
      }
    }
    if (length < kMinMatch) {
      *output++ = 0;
      *output++ = input[position++];
      continue;
    }
    const size_t distance = position - candidate;
    *output++ = (uint8_t)length;
    *output++ = (uint8_t)(distance & 0xff);
    *output++ = (uint8_t)(distance >> 8);
    position += length;
  }
  while (position < kBlockBytes) {
    *output++ = 0;
    *output++ = input[position++];
  }
  block->output_size = (size_t)(output - block->output);
}

static void* work(void* argument) {
  pthread_mutex_lock(&mutex);
  for (;;) {
    while (num_taken == num_made && !finished) pthread_cond_wait(&made, &mutex);
    if (num_taken == num_made) break;
    struct block* const block = &ring[num_taken++ % kQueued];
    pthread_mutex_unlock(&mutex);
    compress(block);
    pthread_mutex_lock(&mutex);
    block->done = 1;
    pthread_cond_broadcast(&done);
  }
  pthread_mutex_unlock(&mutex);
  return argument;
}

static uint32_t state = 12345;

static void fill(uint8_t* text) {
  for (size_t i = 0; i < kBlockBytes;) {
    state = state * 1664525 + 1013904223;
    const size_t run = 4 + (state >> 27);
    const size_t distance = 1 + (state >> 12) % 4000;
    const int repeat = i > 4096 && (state >> 8) % 4 != 0;
    for (size_t end = i + run; i < end && i < kBlockBytes; ++i) {
      text[i] =
          repeat ? text[i - distance] : (uint8_t)('a' + (state >> i % 24) % 20);
    }
  }
}

static void make(struct block* block) {
  block->input = malloc(kBlockBytes);
  block->output = malloc(2 * kBlockBytes);
  block->done = 0;
  fill(block->input);
  pthread_mutex_lock(&mutex);
  ++num_made;
  pthread_cond_signal(&made);
  pthread_mutex_unlock(&mutex);
}

static uint32_t take(struct block* block, uint32_t sum) {
  pthread_mutex_lock(&mutex);
  while (!block->done) pthread_cond_wait(&done, &mutex);
  pthread_mutex_unlock(&mutex);
  for (size_t i = 0; i < block->output_size; ++i) {
    sum = sum * 31 + block->output[i];
  }
  free(block->input);
  free(block->output);
  return sum;
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 2;
  const long blocks = argc > 2 ? atol(argv[2]) : 16;
  if (threads < 1 || threads > kMaxThreads || blocks < 1) return 2;
  pthread_t workers[kMaxThreads];
  for (int i = 0; i < threads; ++i) {
    pthread_create(&workers[i], NULL, work, NULL);
  }
  uint32_t sum = 0;
  size_t size = 0;
  for (long i = 0; i < blocks + kQueued; ++i) {
    struct block* const block = &ring[i % kQueued];
    if (i >= kQueued && i - kQueued < blocks) {
      sum = take(block, sum);
      size += block->output_size;
    }
    if (i < blocks) make(block);
  }
  pthread_mutex_lock(&mutex);
  finished = 1;
  pthread_cond_broadcast(&made);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < threads; ++i) pthread_join(workers[i], NULL);
  printf("pz %zu %u\n", size, sum);
  return 0;
}
