// An LZ77-like compressor and its inverse with a hash of three bytes, as the
// compressors of a distribution have in their inner loops. One thread.
//
//   lz [bytes] [rounds]      prints the compressed size and a check

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kHashBits = 14, kMinMatch = 4, kMaxMatch = 255, kWindow = 65535 };

struct coder {
  const uint8_t* input;
  size_t input_size;
  uint8_t* output;
  size_t output_size;
  uint32_t heads[1 << kHashBits];
};

static uint32_t hash_of(const uint8_t* bytes) {
  const uint32_t word = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
                        (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  return word * 2654435761u >> (32 - kHashBits);
}

static void put(struct coder* coder, uint8_t byte) {
  coder->output[coder->output_size++] = byte;
}

static size_t match_length(const struct coder* coder, size_t a, size_t b) {
  size_t length = 0;
  while (b + length < coder->input_size && length < kMaxMatch &&
         coder->input[a + length] == coder->input[b + length]) {
    ++length;
  }
  return length;
}

static void compress(struct coder* coder) {
  memset(coder->heads, 0xff, sizeof coder->heads);
  coder->output_size = 0;
  size_t position = 0;
  while (position + kMinMatch <= coder->input_size) {
    const uint32_t hash = hash_of(coder->input + position);
    const uint32_t candidate = coder->heads[hash];
    coder->heads[hash] = (uint32_t)position;
    size_t length = 0;
    if (candidate != UINT32_MAX && position - candidate <= kWindow) {
      length = match_length(coder, candidate, position);
    }
    if (length < kMinMatch) {
      put(coder, 0);
      put(coder, coder->input[position++]);
      continue;
    }
    const size_t distance = position - candidate;
    put(coder, (uint8_t)length);
    put(coder, (uint8_t)(distance & 0xff));
    put(coder, (uint8_t)(distance >> 8));
    position += length;
  }
  while (position < coder->input_size) {
    put(coder, 0);
    put(coder, coder->input[position++]);
  }
}

static size_t expand(const uint8_t* input, size_t size, uint8_t* output) {
  size_t written = 0;
  size_t position = 0;
  while (position < size) {
    const size_t length = input[position++];
    if (length == 0) {
      output[written++] = input[position++];
      continue;
    }
    const size_t distance =
        (size_t)input[position] | (size_t)input[position + 1] << 8;
    position += 2;
    for (size_t i = 0; i < length; ++i, ++written) {
      output[written] = output[written - distance];
    }
  }
  return written;
}

int main(int argc, char** argv) {
  const size_t size = argc > 1 ? (size_t)atol(argv[1]) : 1u << 20;
  const int rounds = argc > 2 ? atoi(argv[2]) : 2;
  uint8_t* text = malloc(size);
  uint32_t state = 12345;
  for (size_t i = 0; i < size;) {
    state = state * 1664525 + 1013904223;
    const size_t run = 4 + (state >> 27);
    const size_t distance = 1 + (state >> 12) % 4000;
    const int repeat = i > 4096 && (state >> 8) % 4 != 0;
    for (size_t end = i + run; i < end && i < size; ++i) {
      state = state * 1664525 + 1013904223;
      text[i] =
          repeat ? text[i - distance] : (uint8_t)('a' + (state >> 24) % 20);
    }
  }
  struct coder* coder = malloc(sizeof *coder);
  coder->input = text;
  coder->input_size = size;
  coder->output = malloc(size * 2 + 16);
  uint8_t* back = malloc(size + 16);
  int same = 1;
  for (int round = 0; round < rounds; ++round) {
    compress(coder);
    const size_t length = expand(coder->output, coder->output_size, back);
    same = same && length == size && memcmp(back, text, size) == 0;
  }
  printf("lz %zu %s\n", coder->output_size, same ? "same" : "DIFFERENT");
  free(back);
  free(coder->output);
  free(coder);
  free(text);
  return same ? 0 : 1;
}
