import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type KeyRange, spreadRanges } from '../../../packages/cli/src/sweep/key-ranges.ts'
import { anyText } from '../../support/any-text.ts'
import { randomSteps } from '../../support/random-steps.ts'

/** Seeks in sorted keys, and counts. */
const seekIn = (given: readonly string[]) => {
  const keys = [...new Set(given)].sort((one, other) => (one < other ? -1 : 1))
  const counted = { seeks: 0 }
  const seek = async (from: string | undefined) => {
    counted.seeks++
    expect(() => encodeURIComponent(from ?? '')).not.toThrow() // whole characters
    return keys.find((key) => from === undefined || key >= from)
  }
  return { seek, counted }
}

const holds = ({ from, to }: KeyRange, key: string) =>
  (from === undefined || key >= from) && (to === undefined || key < to)

describe('spreadRanges', () => {
  it('covers every key once, whatever the keys are', async () => {
    const keys = fc.array(fc.oneof(fc.string(), anyText(), fc.uuid()), {
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(
        keys,
        fc.integer({ min: 1, max: 9 }),
        anyText(),
        async (given, count, other) => {
          const { seek, counted } = seekIn(given)
          const ranges = await spreadRanges(seek, count)
          for (const key of [...given, other]) {
            expect(ranges.filter((range) => holds(range, key))).toHaveLength(1)
          }
          expect(ranges.length).toBeLessThanOrEqual(count)
          expect(counted.seeks).toBeLessThan(20 + 12 * count)
        },
      ),
      { numRuns: randomSteps(1_000) },
    )
  })

  it.each([
    ['numbers after a shared beginning', (n: number) => `customer-${String(n).padStart(6, '0')}`],
    ['guids', (n: number) => `${((n * 2654435761) % 2 ** 32).toString(16).padStart(8, '0')}-aaaa`],
    ['words of other scripts', (n: number) => `клиент${String.fromCharCode(0x430 + (n % 32))}${n}`],
  ])('finds ranges of similar sizes among %s', async (_, keyOf) => {
    const keys = Array.from({ length: 2_000 }, (_, n) => keyOf(n))
    const { seek } = seekIn(keys)
    const ranges = await spreadRanges(seek, 8)
    const sizes = ranges.map((range) => keys.filter((key) => holds(range, key)).length)
    expect(sizes.length).toBeGreaterThanOrEqual(5)
    expect(Math.max(...sizes)).toBeLessThan(1_200)
  })

  it.each([
    ['\uB000', '\uD7A3'],
    ['\u{10400}', '\u{10400}b', '\u{10401}'],
    ['\u{10400}', '\uE000'],
    ['\uD7FFa', '\uD7FFb'],
  ])('asks for whole characters only, beside the halves of pairs: %j', async (...keys) => {
    const ranges = await spreadRanges(seekIn(keys).seek, 8)
    for (const key of keys) expect(ranges.filter((range) => holds(range, key))).toHaveLength(1)
  })

  it('returns one range for an empty table and for one partition', async () => {
    expect(await spreadRanges(seekIn([]).seek, 8)).toEqual([{}])
    expect(await spreadRanges(seekIn(['only']).seek, 8)).toEqual([{}])
  })
})
