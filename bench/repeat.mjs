/** Runs an operation of a client `count` times, with a limited number at once; each call has another number. */
let next = 0

export async function repeat(client, { operation, concurrency }, count) {
  let begun = 0
  const lane = async () => {
    while (begun < count) {
      begun += 1
      await client[operation](next++)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, lane))
}
