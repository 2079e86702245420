import {
  DateTime,
  Double,
  defineEntity,
  Entity,
  ETag,
  Ignore,
  Int32,
  Int64,
  keepRows,
  key,
  PartitionKey,
  Property,
  RowKey,
  readMembers,
  type SelfMapped,
  StoreAs,
  signingKeys,
  Text,
  Timestamp,
  writeMembers,
} from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import { z } from 'zod'
import { recordingKeeper } from './history-keeper.ts'

/** A class with an ETag, defaults, and a property that is stored under another name. */
@Entity('tagged')
export class Tagged {
  @PartitionKey() pk!: string
  @RowKey() rk!: string
  @Int32() n?: number
  @Property('String') text?: string = 'x'
  @StoreAs('cea') @Int64() big?: bigint
  @Double() ratio?: number = 1
  @DateTime() when?: Date
  @ETag() etag?: string
  @Timestamp() modified?: Date
}

/** A class whose writes are bound to a version of the row, as those of classes with indexes. */
@Entity('kept')
export class Kept {
  @PartitionKey() pk!: string
  @RowKey() rk!: string
  @Int32() n?: number
  @Property('String') text?: string = 'x'
  @ETag() etag?: string
}

keepRows(Kept, recordingKeeper)

/** A class that declares fewer properties of the same rows, and shows no ETag. */
@Entity('bare')
export class Bare {
  @PartitionKey() pk!: string
  @RowKey() rk!: string
  @Int32() n?: number = 7
  @Property('String') text?: string
}

/** The same rows by a schema: defaults, and transformations that may rewrite what is stored. */
export const Defined = defineEntity({
  name: 'defined',
  partitionKey: key`${'pk'}`,
  rowKey: key`${'rk'}`,
  schema: z.object({
    pk: z.string(),
    rk: z.string(),
    n: z.int32().optional(),
    text: z.string().default('x'),
    big: z.bigint().optional(),
    note: z.string().trim().optional(),
    level: z.int32().min(0).max(9).catch(0).optional(),
  }),
  storeAs: { big: 'cea' },
})

/** The same rows by a schema, with the ETag in sight. */
export const DefinedTag = defineEntity({
  name: 'definedtag',
  partitionKey: key`${'pk'}`,
  rowKey: key`${'rk'}`,
  schema: z.object({
    pk: z.string(),
    rk: z.string(),
    n: z.int32().default(3),
    text: z.string().optional(),
  }),
  etag: 'etag',
})

/** A class that maps itself. */
@Entity('mapped')
export class Mapped implements SelfMapped {
  @PartitionKey() pk!: string
  @RowKey() rk!: string
  @Int32() n?: number
  @Property('String') text?: string
  @Ignore() position: { readonly x?: number | undefined; readonly y?: number | undefined } = {}
  @ETag() etag?: string

  writeEntity(stored: DynamicEntity): void {
    writeMembers(this, stored)
    const { x, y } = this.position
    if (x !== undefined) stored.set('px', x)
    if (y !== undefined) stored.set('py', y)
  }

  readEntity(stored: DynamicEntity): void {
    readMembers(this, stored)
    this.position = { x: stored.get('px')?.as('Int32'), y: stored.get('py')?.as('Int32') }
  }
}

/** Text in pieces. */
@Entity('long')
export class Long {
  @PartitionKey() pk!: string
  @RowKey() rk!: string
  @Text() body?: string
  @Int32() n?: number
  @ETag() etag?: string
}

/** Signed rows. */
@Entity({
  name: 'signed',
  signing: signingKeys({ current: 's1', keys: { s1: new Uint8Array(32).fill(7) } }),
})
export class Signed {
  @PartitionKey() pk!: string
  @RowKey() rk!: string
  @Int32() n?: number
  @Property('String') text?: string = 'x'
  @ETag() etag?: string
}

/** A line of an audit log: its ordinary members are called as the keys of other models. */
@Entity('audit')
export class Audit {
  @PartitionKey() pk!: string
  @RowKey() rk!: string
  @Property('String') partitionKey?: string
  @Property('String') rowKey?: string
  @Int32() n?: number
}

/** Two types in one table, told by a stored property. */
@Entity({ name: 'cats', discriminator: { Kind: 'cat' } })
export class Cat {
  @PartitionKey() pk!: string
  @RowKey() rk!: string
  @Int32() n?: number
  @Property('String') text?: string = 'x'
  @ETag() etag?: string
}

/** The other type. */
export const Dog = defineEntity({
  name: 'dogs',
  partitionKey: key`${'pk'}`,
  rowKey: key`${'rk'}`,
  schema: z.object({
    pk: z.string(),
    rk: z.string(),
    n: z.int32().optional(),
    label: z.string().default('dog'),
  }),
  etag: 'tag',
  discriminator: { Kind: 'dog' },
})

/** A model before versions. */
@Entity('things')
export class Thing {
  @PartitionKey() pk!: string
  @RowKey() rk!: string
  @Int32() n?: number
  @Property('String') text?: string
  @ETag() etag?: string
}

/** The same with its version told, so that it rejects later rows. */
@Entity({ name: 'things', version: 1 })
export class Thing1 {
  @PartitionKey() pk!: string
  @RowKey() rk!: string
  @Int32() n?: number
  @Property('String') text?: string
  @ETag() etag?: string
}

/** The first version in a rolling deployment: it also reads rows of the next one. */
@Entity({
  name: 'things',
  version: 1,
  next: () => Thing2,
  migrateBack: ({ pk, rk, count, text }) =>
    Object.assign(new ThingReady(), { pk, rk, n: count, text }),
})
export class ThingReady {
  @PartitionKey() pk!: string
  @RowKey() rk!: string
  @Int32() n?: number
  @Property('String') text?: string
  @ETag() etag?: string
}

/** The next version: the number has another name, and a property is new. */
@Entity({
  name: 'things',
  version: 2,
  previous: Thing1,
  migrate: ({ pk, rk, n, text }) => Object.assign(new Thing2(), { pk, rk, count: n ?? 0, text }),
})
export class Thing2 {
  @PartitionKey() pk!: string
  @RowKey() rk!: string
  @Int32() count?: number
  @Property('String') text?: string
  @Property('String') added?: string = 'new'
  @ETag() etag?: string
}
