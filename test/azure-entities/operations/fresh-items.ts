import Entity, { type Monitor } from '@rowkey/azure-entities'
import { embeddedTables } from '../tables.ts'

const { keys, types } = Entity

/** The class of the items. */
export const Item = Entity.configure({
  version: 1,
  partitionKey: keys.StringKey('id'),
  rowKey: keys.ConstantKey('x'),
  properties: { id: types.String, count: types.Number, text: types.Text },
})

/** Makes an empty table of items in a service of its own. */
export async function freshItems(monitor?: Monitor) {
  const tables = embeddedTables()
  const Items = Item.setup({
    tableName: 'items',
    service: tables.service,
    ...(monitor && { monitor }),
  })
  await Items.ensureTable()
  return { tables, Items }
}

/** An item whose text needs two chunks. */
export const one = { id: 'a', count: 1, text: 'x'.repeat(70_000) }
