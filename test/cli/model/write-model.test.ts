import { DynamicEntity } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { modelOf } from './model-of.ts'

describe('a pulled model', () => {
  it.each([
    [['ab-x', 'ab-yz', 'ab-x1'], "always begins with 'ab-'"],
    [['ab', 'bc2'], 'has no common beginning'],
    [['ab', 'ab'], "is always 'ab'"],
  ])('says what the keys %j have in common', async (keys, remark) => {
    const text = await modelOf(keys.map((key) => new DynamicEntity(key, key)))
    expect(text).toContain(`PartitionKey ${remark}`)
  })

  it.each([
    ['rises', true, (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()],
    ['falls', true, (n: number) => String(2_500_000_000_000_000_000n - BigInt(n))],
    ['is a day', false, (n: number) => `2026-01-${String(10 + (n % 20))}`],
    ['has a tenant before it', false, (n: number) => `t_2026-01-${String(10 + (n % 20))}`],
  ])(
    'warns of a PartitionKey that is only a time as the declaration does: it %s',
    async (_, isHot, keyOf) => {
      const rows = Array.from({ length: 30 }, (_row, n) => new DynamicEntity(keyOf(n), `${n}`))
      expect((await modelOf(rows)).includes('only a time: all writes of a moment')).toBe(isHot)
    },
  )

  it('ends no comment or text early, whatever is stored', async () => {
    const values = ["it's", '*/', `\`\${x}\``, '\u2028', '\n']
    const rows = Array.from(
      { length: 40 },
      (_, n) => new DynamicEntity(`\u2029${n % 2}`, `${n}`, { text: values[n % 5] }),
    )
    const text = await modelOf(rows)
    expect(text).toContain(`'\\n' | '*/' | '\`\${x}\`' | 'it\\'s' | '\\u2028'`)
    expect(text.split(/[\n\u2028\u2029]/).filter((line) => line.startsWith('${'))).toEqual([])
  })
})
