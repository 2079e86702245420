import { corruptedStore, type StoreError } from '../../errors/store-error.ts'
import { type Engine, walk } from './engine.ts'
import { TOTALS_KEY } from './record-key.ts'
import { isSealed, unsealText } from './sealed-text.ts'
import { NO_TOTALS, parseTotals, type Totals, withRecord } from './totals.ts'

/**
 * Reads every record in order and by its key, and checks that each is as it was written, and that
 * none is missing or has come back. The engine finds single records by indexes of its own, which it
 * does not check: damage there would make a record seem not to exist.
 *
 * @returns the totals of the store
 * @throws StoreError StoreCorrupted
 */
export async function checkRecords(engine: Engine, folder: string): Promise<Totals> {
  let counted = NO_TOTALS
  let noted = NO_TOTALS
  let isWhole = true
  await walk(engine, {}, (key, value) => {
    isWhole = isSealed(key, value) && engine.getSync(key) === value
    if (isWhole && key === TOTALS_KEY) noted = parseTotals(unsealText(key, value) ?? '')
    else if (isWhole) counted = withRecord(counted, undefined, value)
    return isWhole
  })
  if (!isWhole) throw damaged(folder, 'a record is not as it was written')
  if (counted.records !== noted.records || counted.sum !== noted.sum) {
    throw damaged(folder, `it holds ${counted.records} records where ${noted.records} were written`)
  }
  return noted
}

function damaged(folder: string, found: string): StoreError {
  return corruptedStore(folder, found)
}
