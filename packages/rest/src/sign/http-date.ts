let cachedSecond = Number.NaN
let cachedText = ''

/**
 * A moment as HTTP and its signatures write it: `Tue, 21 Sep 2021 01:06:13 GMT`.
 *
 * The text is kept for the second it belongs to, since many requests are signed within one.
 *
 * @param now - milliseconds since 1970, UTC
 */
export function printHttpDate(now: number): string {
  const second = Math.floor(now / 1000)
  if (second !== cachedSecond) {
    cachedText = new Date(now).toUTCString()
    cachedSecond = second
  }
  return cachedText
}
