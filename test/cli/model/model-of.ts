import type { DynamicEntity } from 'rowkey'
import { profileRows } from '../../../packages/cli/src/model/profile-rows.ts'
import { writeModel } from '../../../packages/cli/src/model/write-model.ts'

/** Writes the model of some rows. */
export const modelOf = async (rows: readonly DynamicEntity[]) => {
  const found = await profileRows(async (onRow) => rows.forEach(onRow))
  return writeModel({ table: 'people', coverage: 'All rows.', showsValues: true, ...found })
}
