import {
  type Account,
  DateTime,
  Double,
  defineEntity,
  Encrypted,
  Entity,
  ETag,
  encrypted,
  encryptionKeys,
  Int64,
  key,
  lifetime,
  PartitionKey,
  Property,
  RowKey,
  readMembers,
  type SelfMapped,
  signingKeys,
  type Table,
  Text,
  union,
  writeMembers,
} from '@rowkey/mapper'
import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { declareIndexes, declareSummaries } from '@rowkey/patterns'
import { type Secret, startsWith } from '@rowkey/query'
import { z } from 'zod'
import { announcedTo } from '../../patterns/announcing.ts'
import { decrypted } from '../decrypted.ts'
import { BEGINNING, PARTITION, type RawRow } from '../raw-rows.ts'

/** The table of any model. */
export type AnyTable = Table<object>
/** A query of any model. */
export type AnyQuery = ReturnType<AnyTable['query']>

/** A model that keeps people: what every cell needs to know about it. */
export interface Model {
  /** Opens a table of the model. */
  open(account: Account, name: string): AnyTable
  /** Opens the table as a program of another age does; by default one whose class has only `note`. */
  openOther?(account: Account, name: string): AnyTable
  /** Makes a new person. */
  make(rowKey: string, name: string, city?: string): object
  /** Gives a person another name; by default the member `name`. */
  rename?(person: object, name: string): void
  /** Finds the people of the partition; by default those whose `who` has the beginning of their keys. */
  people?(table: AnyTable): AnyQuery
  /** Reads the name of a stored row, without the code under test; by default the property `name`. */
  nameIn?(row: RawRow): unknown
  /** Whether the row counts as missing. */
  isHidden?(row: RawRow): boolean
  /** The model of the program that stored the rows first, unless an old program changes them later. */
  readonly founder?: ModelName
  /** The model of a rival, where a program of this model cannot overwrite each row. */
  readonly latest?: ModelName
  /** What a row has besides, when a program of this model stores it first. */
  readonly atFirst?: object
  /** Whether a program without the model can add properties to its rows. */
  readonly isClosed?: boolean
  /** Compares the rows that the model keeps beside its own, and returns the differences. */
  verify?(account: Account, name: string): Promise<readonly unknown[]>
}

/** Gives a new person what no write of a cell touches. */
export function withUntouched(person: object, { atFirst }: Model): object {
  if (!(person instanceof DynamicEntity)) return Object.assign(person, UNTOUCHED, atFirst)
  return person
    .set('ratio', EntityProperty.double(UNTOUCHED.ratio))
    .set('points', EntityProperty.int64(UNTOUCHED.points))
    .set('seen', EntityProperty.dateTime(UNTOUCHED.seen))
}

/** What a person has besides a name; no write of a cell touches it. */
const UNTOUCHED = {
  ratio: 3,
  points: 2n ** 60n,
  seen: new Date('2026-11-20T10:00:00.123Z'),
}

const keys = encryptionKeys({ current: 'k', keys: { k: new Uint8Array(32).fill(2) } })
const signing = signingKeys({ current: 's', keys: { s: new Uint8Array(32).fill(1) } })

@Entity('people')
class Person {
  @PartitionKey() city!: string
  @RowKey() who!: string
  @Property('String') name?: string
  @Property('String') note?: string
  @Double() ratio?: number
  @Int64() points?: bigint
  @DateTime() seen?: Date
  @ETag() etag?: string
}

/** What another program knows of people. */
@Entity('people')
class Noted {
  @PartitionKey() city!: string
  @RowKey() who!: string
  @Property('String') note?: string
}

@Entity({ name: 'people', signing })
class SignedPerson extends Person {}

@Entity({ name: 'people', signing })
class SignedNoted extends Noted {}

@Entity('people')
class SecretPerson {
  @PartitionKey() city!: string
  @RowKey() who!: string
  @Encrypted(keys) @Property('String') name?: Secret<string>
  @Property('String') note?: string
  @Double() ratio?: number
  @Int64() points?: bigint
  @DateTime() seen?: Date
}

@Entity({
  name: 'people',
  lifetime: lifetime({ expiresAt: 'expiresOn', deletedAt: 'deletedOn' }),
})
class MortalPerson extends Person {
  @DateTime() expiresOn?: Date
  @DateTime() deletedOn?: Date
}

@Entity('people')
class WordyPerson {
  @PartitionKey() city!: string
  @RowKey() who!: string
  @Text() name = ''
  @Property('String') note?: string
  @Double() ratio?: number
  @Int64() points?: bigint
  @DateTime() seen?: Date
}

/** Stores its name in two properties. */
@Entity('people')
class OwnMapping implements SelfMapped {
  @PartitionKey() city!: string
  @RowKey() who!: string
  @Property('String') note?: string
  @Double() ratio?: number
  @Int64() points?: bigint
  @DateTime() seen?: Date
  name = ''

  writeEntity(stored: DynamicEntity): void {
    writeMembers(this, stored)
    stored.set('first', this.name.slice(0, 2)).set('rest', this.name.slice(2))
  }

  readEntity(stored: DynamicEntity): void {
    readMembers(this, stored)
    this.name = `${stored.get('first')?.value}${stored.get('rest')?.value}`
  }
}

const person = {
  city: z.string(),
  who: z.string(),
  note: z.string().optional(),
  ratio: z.number().optional(),
  points: z.bigint().optional(),
  seen: z.date().optional(),
}
const place = { name: 'people', partitionKey: key`${'city'}`, rowKey: key`${'who'}` }
const named = z.object({ ...person, name: z.string() })

const Schema = defineEntity({ ...place, schema: named })

const Indexed = defineEntity({ ...place, rowKey: key`p_${'who'}`, schema: named })
const indexes = declareIndexes(Indexed, { name: { rowKey: key`name_${'name'}_${'who'}` } })
const summaries = declareSummaries(Indexed, { all: { rowKey: key`summary`, sums: ['ratio'] } })

/** Deleted softly, and kept: its entry goes or stays with the row. */
const MortalIndexed = defineEntity({
  ...place,
  rowKey: key`p_${'who'}`,
  schema: named.extend({ expiresOn: z.date().optional(), deletedOn: z.date().optional() }),
  lifetime: lifetime({ expiresAt: 'expiresOn', deletedAt: 'deletedOn' }),
})
const mortalIndexes = declareIndexes(MortalIndexed, {
  name: { rowKey: key`name_${'name'}_${'who'}` },
})
const mortalSummaries = declareSummaries(MortalIndexed, {
  all: { rowKey: key`summary`, sums: ['ratio'] },
})

/** Kept in both versions alike, though the second changes names. */
const IndexedVersion1 = defineEntity({
  ...place,
  rowKey: key`p_${'who'}`,
  schema: named,
  version: 1,
})
const sameIndex = { name: { rowKey: key`name_${'name'}_${'who'}`, sameSince: 1 } } as const
const firstIndexes = declareIndexes(IndexedVersion1, sameIndex)
const IndexedVersion2 = defineEntity({
  ...place,
  rowKey: key`p_${'who'}`,
  schema: named.extend({ nick: z.string().optional() }),
  version: 2,
  previous: IndexedVersion1,
  migrate: (earlier) => ({ ...earlier }),
})
const secondIndexes = declareIndexes(IndexedVersion2, sameIndex)

/** The index is over a note, and the name is encrypted. */
const SecretIndexed = defineEntity({
  ...place,
  rowKey: key`p_${'who'}`,
  schema: named,
  columns: { name: encrypted(keys) },
})
const secretIndexes = declareIndexes(SecretIndexed, {
  note: { rowKey: key`note_${'note'}_${'who'}` },
})

const EventualIndexed = defineEntity({ ...place, rowKey: key`p_${'who'}`, schema: named })
const eventualIndexes = declareIndexes(
  EventualIndexed,
  { name: { partitionKey: key`names`, rowKey: key`far_${'name'}_${'city:escaped'}_${'who'}` } },
  { worker: announcedTo().worker },
)

const Group = defineEntity({
  name: 'groups',
  partitionKey: key`${'city'}`,
  rowKey: key`q_${'which'}`,
  schema: z.object({ city: z.string(), which: z.string(), size: z.number() }),
})
const United = defineEntity({ ...place, rowKey: key`p_${'who'}`, schema: named })
const unions = union(United, Group)
const keptUnion = union(Indexed, Group)

/** The first version, as it is deployed before the second: it reads both. */
const Version1 = defineEntity({
  ...place,
  schema: named,
  version: 1,
  next: () => Version2 as never,
  migrateBack: (later: object) => {
    const { fullName, nick: _, ...rest } = later as z.output<typeof fullNamed>
    return { ...rest, name: fullName }
  },
}) as typeof Schema
const fullNamed = z.object({ ...person, fullName: z.string(), nick: z.string().optional() })
const Version2 = defineEntity({
  ...place,
  schema: fullNamed,
  version: 2,
  previous: Version1,
  migrate: ({ name, ...rest }) => ({ ...rest, fullName: name }),
})
const UnitedVersion2 = defineEntity({
  ...place,
  rowKey: key`p_${'who'}`,
  schema: fullNamed,
  version: 2,
  previous: United,
  migrate: ({ name, ...rest }) => ({ ...rest, fullName: name }),
})
const versionedUnion = union(UnitedVersion2, Group)
const versionedName = (row: RawRow): unknown => (row.Version === 2 ? row.fullName : row.name)

/** A table of a class or model, which cells use without its types. */
const table = (opened: unknown): AnyTable => opened as AnyTable
const opener =
  (model: unknown) =>
  (account: Account, name: string): AnyTable =>
    table(account.table(model as typeof Person, name))
const maker =
  (PersonClass: new () => object) =>
  (who: string, name: string, city = PARTITION): object =>
    Object.assign(new PersonClass(), { city, who, name })
const plain = (who: string, name: string, city = PARTITION): object => ({ city, who, name })
/** The part of the RowKey that the template of these models leaves to the member. */
const afterTemplate = (rowKey: string, name: string, city = PARTITION): object =>
  plain(rowKey.slice(BEGINNING.length), name, city)
const inPartition = { city: PARTITION }
interface UnionOfPeople {
  ofType(model: typeof United): unknown
}
const queryOf = (people: unknown, condition: object): AnyQuery =>
  (people as AnyTable).query().where(condition as never)

/** Finds the people of the partition. */
export function peopleIn({ people = defaultPeople }: Model, opened: AnyTable): AnyQuery {
  return people(opened)
}

const defaultPeople = (people: AnyTable): AnyQuery =>
  queryOf(people, { ...inPartition, who: startsWith(BEGINNING) })

/** Compares the entries of indexes with the rows. */
async function differences(kept: {
  verify(options: { onFinding(finding: unknown): void }): Promise<unknown>
}): Promise<readonly unknown[]> {
  const found: unknown[] = []
  await kept.verify({ onFinding: (finding) => found.push(finding) })
  return found
}

/** Longer than the first piece of a text. */
const long = (name: string): string => name.padEnd(40_000, '.')

export const models = {
  dynamic: {
    open: (account, name) => table(account.table(name)),
    make: (rowKey, name, city = PARTITION) =>
      new DynamicEntity(city, rowKey, { name: EntityProperty.string(name) }),
    rename: (entity, name) => (entity as DynamicEntity).set('name', name),
    people: (people) => queryOf(people, { partitionKey: PARTITION, rowKey: startsWith(BEGINNING) }),
  },
  class: { open: opener(Person), make: maker(Person) },
  schema: { open: opener(Schema), make: plain },
  union: {
    open: (account, name) => table(account.table(name, unions)),
    make: afterTemplate,
    people: (people) => queryOf((people as unknown as UnionOfPeople).ofType(United), inPartition),
  },
  versioned: {
    open: opener(Version2),
    openOther: opener(Version1),
    make: (who, fullName, city = PARTITION) => ({ city, who, fullName }),
    rename: (entity, fullName) => Object.assign(entity, { fullName }),
    nameIn: versionedName,
    founder: 'rolling deployment',
    atFirst: { nick: 'Nic' },
  },
  'rolling deployment': {
    open: opener(Version1),
    openOther: opener(Version2),
    make: plain,
    nameIn: versionedName,
    founder: 'versioned',
    latest: 'versioned',
  },
  'self-mapping': {
    open: opener(OwnMapping),
    make: maker(OwnMapping),
    nameIn: ({ first, rest }) => `${first}${rest}`,
  },
  encrypted: {
    open: opener(SecretPerson),
    make: maker(SecretPerson),
    nameIn: (row) => decrypted(row, 'name', new Uint8Array(32).fill(2)),
  },
  signed: {
    open: opener(SignedPerson),
    openOther: opener(SignedNoted),
    make: maker(SignedPerson),
    isClosed: true,
  },
  lifetime: {
    open: opener(MortalPerson),
    make: maker(MortalPerson),
    isHidden: ({ deletedOn }) => deletedOn !== undefined,
  },
  'chunked text': {
    open: opener(WordyPerson),
    make: (rowKey, name, city) => maker(WordyPerson)(rowKey, long(name), city),
    rename: (entity, name) => Object.assign(entity, { name: long(name) }),
    nameIn: ({ name, name_2 = '' }) => {
      const whole = `${name}${name_2}`
      return whole.length === 40_000 ? whole.replace(/\.*$/, '') : `${whole.length} characters`
    },
  },
  'kept by a pattern': {
    open: opener(Indexed),
    make: afterTemplate,
    people: (people) => queryOf(people, inPartition),
    verify: async (account, name) => {
      const sums = await differences(summaries.on(account, { name }))
      return [...sums, ...(await differences(indexes.on(account, { name })))]
    },
  },
  'kept in a union': {
    open: (account, name) => table(account.table(name, keptUnion)),
    make: afterTemplate,
    people: (people) => queryOf((people as unknown as UnionOfPeople).ofType(Indexed), inPartition),
    verify: async (account, name) => [
      ...(await differences(summaries.on(account, { name }))),
      ...(await differences(indexes.on(account, { name }))),
    ],
  },
  'versioned in a union': {
    open: (account, name) => table(account.table(name, versionedUnion)),
    make: (rowKey, fullName, city = PARTITION) => ({
      city,
      who: rowKey.slice(BEGINNING.length),
      fullName,
    }),
    rename: (entity, fullName) => Object.assign(entity, { fullName }),
    people: (people) =>
      queryOf((people as unknown as UnionOfPeople).ofType(UnitedVersion2 as never), inPartition),
    nameIn: versionedName,
    founder: 'union',
  },
  'kept and versioned': {
    open: opener(IndexedVersion2),
    make: afterTemplate,
    people: (people) => queryOf(people, inPartition),
    founder: 'kept in its first version',
    verify: (account, name) => differences(secondIndexes.on(account, { name })),
  },
  'kept in its first version': {
    open: opener(IndexedVersion1),
    make: afterTemplate,
    people: (people) => queryOf(people, inPartition),
    verify: (account, name) => differences(firstIndexes.on(account, { name })),
  },
  'kept with a lifetime': {
    open: opener(MortalIndexed),
    make: afterTemplate,
    people: (people) => queryOf(people, inPartition),
    isHidden: ({ deletedOn }) => deletedOn !== undefined,
    verify: async (account, name) => [
      ...(await differences(mortalSummaries.on(account, { name }))),
      ...(await differences(mortalIndexes.on(account, { name }))),
    ],
  },
  'kept and encrypted': {
    open: opener(SecretIndexed),
    // A program without the index would leave its entry as it is.
    openOther: opener(SecretIndexed),
    make: afterTemplate,
    people: (people) => queryOf(people, inPartition),
    nameIn: (row) => decrypted(row, 'name', new Uint8Array(32).fill(2)),
    verify: (account, name) => differences(secretIndexes.on(account, { name })),
  },
  'kept later': {
    open: opener(EventualIndexed),
    make: afterTemplate,
    people: (people) => queryOf(people, inPartition),
    async verify(account, name) {
      const kept = eventualIndexes.on(account, { name })
      await kept.drain()
      return differences(kept)
    },
  },
} satisfies Readonly<Record<string, Model>> as Readonly<Record<ModelName, Model>>

/** The names of the models. */
export type ModelName =
  | 'kept in a union'
  | 'versioned in a union'
  | 'kept and versioned'
  | 'kept in its first version'
  | 'kept with a lifetime'
  | 'kept and encrypted'
  | 'kept later'
  | 'dynamic'
  | 'class'
  | 'schema'
  | 'union'
  | 'versioned'
  | 'rolling deployment'
  | 'self-mapping'
  | 'encrypted'
  | 'signed'
  | 'lifetime'
  | 'chunked text'
  | 'kept by a pattern'

/** Opens a table as a program that knows only the notes of people. */
export const openNoted = opener(Noted)
/** Opens a table as a program that knows only groups. */
export const openGroups = opener(Group)
