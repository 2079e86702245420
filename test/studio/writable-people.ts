import type { DynamicEntity } from 'rowkey'
import type { ShownRow } from '../../packages/studio/src/server/wire.ts'
import { everyType } from '../cli/with-tables.ts'
import { openStudio } from './open-studio.ts'

/** Starts a studio that may change its only table, `people`. */
export async function writablePeople() {
  const studio = await openStudio({ isWritable: true })
  const people = studio.tables.account.table('people')
  await people.create()
  /** The row of Smith, as the page names it. */
  const address = (row: string) => ({ table: 'people', partition: 'Smith', row })
  return {
    studio,
    people,
    address,
    stored: (row: string) => people.find(['Smith', row]),
    /** Stores a row and reads it as the page does. */
    async shown(
      row: string,
      properties: DynamicEntity = everyType('Smith', row),
    ): Promise<ShownRow> {
      await people.insertOrReplace(properties)
      return studio.get('/api/row', { ...address(row), whole: '1' })
    },
  }
}
