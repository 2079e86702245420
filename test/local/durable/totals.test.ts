import { describe, expect, it } from 'vitest'
import {
  NO_TOTALS,
  parseTotals,
  printTotals,
  sealText,
  withRecord,
} from '../../../packages/local/src/durable/sealed-text.ts'

const record = (text: string) => sealText('key', text)

describe('totals', () => {
  it('are parsed as they are printed', () => {
    const totals = { commits: 1, records: 2, sum: 0xffff_ffff }
    expect(parseTotals(printTotals(totals))).toEqual(totals)
  })

  it('return to their value when a record is removed again', () => {
    const [one, other] = [record('one'), record('other')]
    const added = withRecord(withRecord(NO_TOTALS, undefined, one), one, other)
    expect(added).toMatchObject({ records: 1 })
    expect(added).toEqual(withRecord(NO_TOTALS, undefined, other))
    expect(withRecord(added, other, undefined)).toEqual(NO_TOTALS)
  })
})
