import { describe, expect, it } from 'vitest'
import { TOTALS_KEY } from '../../../../packages/local/src/store/durable/record-key.ts'
import { sealText } from '../../../../packages/local/src/store/durable/sealed-text.ts'
import {
  commitsInLog,
  NO_TOTALS,
  parseTotals,
  printTotals,
  withRecord,
} from '../../../../packages/local/src/store/durable/totals.ts'

const record = (text: string) => sealText('key', text)
const noteOf = (commits: number) =>
  Buffer.from(sealText(TOTALS_KEY, printTotals({ commits, records: 3, sum: 4 })))

describe('totals', () => {
  it('are read as they are printed', () => {
    const totals = { commits: 1, records: 2, sum: 0xffff_ffff }
    expect(parseTotals(printTotals(totals))).toEqual(totals)
  })

  it('come back to what they were when a record goes again', () => {
    const [one, other] = [record('one'), record('other')]
    const added = withRecord(withRecord(NO_TOTALS, undefined, one), one, other)
    expect(added).toMatchObject({ records: 1 })
    expect(added).toEqual(withRecord(NO_TOTALS, undefined, other))
    expect(withRecord(added, other, undefined)).toEqual(NO_TOTALS)
  })
})

describe('commitsInLog', () => {
  it('tells the last commit that stands there whole', () => {
    const log = Buffer.concat([Buffer.from('head'), noteOf(1), Buffer.from('rows'), noteOf(2)])
    expect(commitsInLog(log)).toBe(2)
  })

  it('does not count a commit that was cut off, at whatever byte', () => {
    const [first, second] = [noteOf(41), noteOf(42)]
    for (let length = 0; length < second.length; length++) {
      expect(commitsInLog(Buffer.concat([first, second.subarray(0, length)]))).toBe(41)
    }
  })

  it('finds nothing in a log without commits', () => {
    expect(commitsInLog(Buffer.alloc(0))).toBe(0)
    expect(commitsInLog(Buffer.from('{"commits":7,"records":0,"sum":0}'))).toBe(0)
  })
})
