/**
 * Shows how two texts differ, line by line, with the lines around each difference left out.
 *
 * @param before - the lines of the earlier text
 * @param after - the lines of the later text
 * @returns lines that begin with `-` or `+`
 */
export function lineDifference(
  before: readonly string[],
  after: readonly string[],
): readonly string[] {
  let start = 0
  const shortest = Math.min(before.length, after.length)
  while (start < shortest && before[start] === after[start]) start++
  let end = 0
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const olds = before.slice(start, before.length - end)
  const news = after.slice(start, after.length - end)
  if (olds.length * news.length <= MOST_PAIRS) return differingLines(olds, news)
  return [...olds.map((line) => `- ${line}`), ...news.map((line) => `+ ${line}`)]
}

/** Texts with more pairs of lines between their first and their last difference are shown one after the other. */
const MOST_PAIRS = 250_000

function differingLines(before: readonly string[], after: readonly string[]): readonly string[] {
  // common[i][j] is how many lines the texts share from line i and line j on, in order.
  const common = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const line = common[i] as Uint32Array
      line[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: string[] = []
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      i++
      j++
    } else if (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`- ${before[i++]}`)
    } else {
      lines.push(`+ ${after[j++]}`)
    }
  }
  return lines
}
