import {
  Entity,
  Ignore,
  Int32,
  PartitionKey,
  RowKey,
  readMembers,
  writeMembers,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { freshAccount } from '../fresh-account.ts'

/** A place that stores its position as `x`. */
@Entity({ name: 'places', version: 1, next: () => Place2, migrateBack: (place) => back(place) })
class Place {
  @PartitionKey() region = ''
  @RowKey() id = ''
  @Int32() size = 0
  @Ignore() position = 0

  writeEntity(stored: DynamicEntity) {
    writeMembers(this, stored)
    stored.set('x', this.position)
  }

  readEntity(stored: DynamicEntity) {
    readMembers(this, stored)
    this.position = stored.get('x')?.as('Int32') ?? 0
  }
}

/** The next version, which stores ten times the position as `y`. */
@Entity({ name: 'places', version: 2, previous: Place, migrate: (place) => forth(place) })
class Place2 {
  @PartitionKey() region = ''
  @RowKey() id = ''
  @Int32() size = 0
  @Ignore() position = 0

  writeEntity(stored: DynamicEntity) {
    writeMembers(this, stored)
    stored.set('y', this.position)
  }

  readEntity(stored: DynamicEntity) {
    readMembers(this, stored)
    this.position = stored.get('y')?.as('Int32') ?? 0
  }
}

const forth = ({ region, id, size, position }: Place): Place2 =>
  Object.assign(new Place2(), { region, id, size, position: position * 10 })

const back = ({ region, id, size, position }: Place2): Place =>
  Object.assign(new Place(), { region, id, size, position: position / 10 })

const key = ['north', '1'] as const

async function places() {
  const { account } = freshAccount()
  const rows = account.table('places')
  await rows.create()
  /** Stores a row with a property of another program. */
  const store = (values: object) =>
    rows.insertOrReplace(new DynamicEntity(...key, { ...values, foreign: 'kept' }))
  const stored = async () => {
    const { properties } = await rows.get(key)
    return Object.fromEntries([...properties].map(([name, { value }]) => [name, value]))
  }
  return { store, stored, old: account.table(Place), latest: account.table(Place2) }
}

describe('versions of a class that maps itself', () => {
  it('keep the properties of other programs, and drop those of the earlier version', async () => {
    const { store, stored, latest } = await places()
    await store({ Version: 1, size: 3, x: 4 })
    await latest.merge(await latest.get(key))
    expect(await stored()).toEqual({ Version: 2, size: 3, y: 40, foreign: 'kept' })
  })

  it('keep the properties of other programs when a program of the earlier version writes', async () => {
    const { store, stored, old } = await places()
    await store({ Version: 2, size: 3, y: 40 })
    await old.modify(key, (place) => {
      place.position = 5
    })
    expect(await stored()).toEqual({ Version: 2, size: 3, y: 50, foreign: 'kept' })
  })

  it('show a reloaded row of the other version', async () => {
    const { store, stored, old, latest } = await places()
    await store({ Version: 2, size: 1, y: 10 })
    const [place, place2] = [await old.get(key), await latest.get(key)]
    await store({ Version: 2, size: 3, y: 40 })
    await old.reload(place)
    expect(place).toMatchObject({ size: 3, position: 4 })
    await store({ Version: 1, size: 5, x: 6 })
    await latest.reload(place2)
    expect(place2).toMatchObject({ size: 5, position: 60 })
    await latest.merge(place2)
    expect(await stored()).toEqual({ Version: 2, size: 5, y: 60, foreign: 'kept' })
  })
})
