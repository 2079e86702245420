import Entity from '@rowkey/azure-entities'
import { embeddedTables } from './tables.ts'

const { types } = Entity
const Item = Entity.configure({
  version: 1,
  partitionKey: Entity.keys.StringKey('id'),
  rowKey: Entity.keys.StringKey('name'),
  properties: {
    id: types.String,
    name: types.String,
    count: types.Number,
    time: types.Date,
    active: types.Boolean,
    slug: types.SlugId,
    text: types.Text,
  },
})

const slugs = ['NgmMmc_oQZ-dC4nPzWI1Ug', 'nvItOmAyRiOvSSWCAHkobQ'] as const

/** The properties of an item. */
const itemOf = (id: string, index: number) => ({
  id,
  name: `item${index}`,
  count: index === 3 ? 2 ** 40 : index,
  time: new Date(index * 1_000),
  active: index !== 2,
  slug: slugs[index % 2] ?? '',
  text: 'x',
})

/** Stores three items in each of two partitions. */
export async function storedItems() {
  const { local, service } = embeddedTables()
  const Items = Item.setup({ tableName: 'items', service })
  await Items.ensureTable()
  for (const id of ['a', "b'~%"]) {
    for (const index of [1, 2, 3]) await Items.create(itemOf(id, index))
  }
  const lastFilter = () =>
    new URLSearchParams(local.requests.entries().at(-1)?.query).get('$filter')
  return { Items, local, lastFilter }
}

/** The names of the entities that a scan returned. */
export const namesOf = ({ entries }: { readonly entries: readonly { readonly name: string }[] }) =>
  entries.map(({ name }) => name)
