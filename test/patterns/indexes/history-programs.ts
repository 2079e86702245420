import { defineEntity, type KeyCodec, key, union } from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import {
  declareCopies,
  declareEventualIndexes,
  declareIndexes,
  declareOutbox,
  declareSummaries,
  type EventualIndexDefinition,
  type IndexDefinition,
  type OutboxOptions,
  type SummaryDefinition,
} from '@rowkey/patterns'
import { z } from 'zod'
import { announcedTo } from '../announcing.ts'
import { ATTEMPTS, type HistoryMessage, type HistoryMessages } from './history-messages.ts'

/** An employee, as a program sees it. */
export interface Values {
  readonly department: string
  readonly id: number
  readonly lastName?: string | undefined
  readonly email?: string | undefined
  readonly age?: number | undefined
  /** Tells a write from all others, where there are outboxes. */
  readonly mark?: number | undefined
}

/** What an index may be declared as, and which entities have an entry then. */
export interface Choice<Definition> {
  readonly definition: Definition
  readonly has: (values: Values) => boolean
}

const hasName = ({ lastName }: Values): boolean => lastName !== undefined
const hasEmail = ({ email }: Values): boolean => email !== undefined
const isOld = ({ age = 0 }: { readonly age?: number | undefined }): boolean => age > 1

/** Three of them share a beginning, and two depend on what a migration changes. */
const NEAR: readonly Choice<IndexDefinition<Values>>[] = [
  { definition: { rowKey: key`x_${'lastName'}_${'id:6'}` }, has: hasName },
  { definition: { rowKey: key`x_${'lastName'}_${'id:6'}`, project: ['age'] }, has: hasName },
  {
    definition: { rowKey: key`x_${'age:8'}_${'email'}_${'id:6'}`, sameSince: 1 },
    has: (e) => hasEmail(e) && e.age !== undefined,
  },
  {
    definition: { rowKey: key`y_${'email'}_${'id:6'}`, where: isOld, sameSince: 1 },
    has: (e) => hasEmail(e) && isOld(e),
  },
]

const UNIQUE: readonly Choice<IndexDefinition<Values>>[] = [
  { definition: { rowKey: key`z_${'email'}`, unique: true, sameSince: 1 }, has: hasEmail },
  {
    definition: { rowKey: key`z_${'email'}`, unique: true, where: isOld },
    has: (e) => hasEmail(e) && isOld(e),
  },
]

const FAR: readonly Choice<EventualIndexDefinition<Values>>[] = [
  {
    definition: {
      partitionKey: key`${'lastName'}`,
      rowKey: key`far_${'department'}_${'id:6'}`,
      project: ['age'],
      table: 'lookups',
    },
    has: hasName,
  },
  {
    definition: {
      partitionKey: key`all`,
      rowKey: key`far_${'email'}_${'department'}_${'id:6'}`,
      project: ['age'],
      sameSince: 1,
    },
    has: hasEmail,
  },
  {
    definition: {
      partitionKey: key`${'email'}`,
      rowKey: key`far_${'department'}_${'id:6'}`,
      table: 'lookups',
      where: isOld,
    },
    has: (e) => hasEmail(e) && isOld(e),
  },
]

const SUMMARIES: readonly SummaryDefinition<Values>[] = [
  { rowKey: key`sum_all`, sums: ['age'] },

  { rowKey: key`sum_all`, sameSince: 1 },
  { rowKey: key`sum_all`, sums: ['age'], spread: 2, sameSince: 1 },
  { rowKey: key`sum_all`, sums: ['age'], where: isOld },
  { rowKey: key`sum_all`, where: isOld, sameSince: 1 },
]

const shape = {
  department: z.string(),
  id: z.int(),
  lastName: z.string().optional(),
  email: z.string().optional(),
  age: z.int32().optional(),
  mark: z.int32().optional(),
}
/** Where both models are. */
const at = { name: 'staff', partitionKey: key`${'department'}` }
const employee = { ...at, rowKey: key`empid_${'id:6'}`, storeAs: { email: 'mail' } }

/** Employees without versions: writes of versions read each row, so a keeper could not overlook one. */
const definePlain = () => defineEntity({ ...employee, schema: z.object(shape) })

/** The employees of the first version; it may read those of the second. */
function defineFirst(readsNext: boolean) {
  const schema = z.object(shape)
  if (!readsNext) return defineEntity({ ...employee, schema, version: 1 })
  const First = defineEntity({
    ...employee,
    schema,
    version: 1,
    next: () => Second,
    migrateBack: (later: Values & { readonly team?: string | undefined }) => {
      const { team: _, ...values } = later
      return { ...values, ...(values.lastName && { lastName: values.lastName.slice(1) }) }
    },
  })
  const Second = defineSecond(First as never)
  return First
}

/** The employees of the second version, whose last names differ and which have a team. */
function defineSecond(previous: ReturnType<typeof defineFirst>) {
  return defineEntity({
    ...employee,
    schema: z.object({ ...shape, team: z.string().optional() }),
    version: 2,
    previous: previous as never,
    migrate: (earlier: object): Values => {
      const values = earlier as Values // of the first version
      return { ...values, ...(values.lastName && { lastName: `N${values.lastName}` }) }
    },
  })
}

const defineInvoice = () =>
  defineEntity({
    ...at,
    rowKey: key`inv_${'id:6'}`,
    schema: z.object({
      department: z.string(),
      id: z.int(),
      email: z.string().optional(),
      mark: z.int32().optional(),
    }),
  })

/** A department with a copy of its manager's address. */
const defineDepartment = () =>
  defineEntity({
    ...at,
    rowKey: key`dept`,
    schema: z.object({
      department: z.string(),
      managerId: z.int().optional(),
      managerEmail: z.string().optional(),
    }),
  })

/** Where outboxes announce their messages, and what these are. */
export type ProgramMessages = Pick<HistoryMessages, 'announce' | 'make'>

/** What some programs declare beside indexes and sums: then every write matters to a keeper. */
function declareMessages(
  Employee: ReturnType<typeof defineFirst>,
  Invoice: ReturnType<typeof defineInvoice>,
  messages: () => ProgramMessages,
) {
  const Department = defineDepartment()
  const managers = declareCopies(Employee, Department, {
    fields: { managerEmail: 'email' },
    source: ({ department, managerId: id }) => (id === undefined ? undefined : { department, id }),
    holders: ({ department }) => [{ department }],
  })
  const outboxOf = (of: string, rowKey: KeyCodec): HistoryOutboxOptions => ({
    messages: (transition) => {
      const { department, ...values } = (transition.after ?? transition.before) as Values
      return [messages().make(of, `${department} ${rowKey.print(values)}`, transition)]
    },
    ...announcedTo(async (partition, delay) => messages().announce(of, partition, delay)),
    attempts: ATTEMPTS,
  })
  const outboxes = {
    Employee: declareOutbox(Employee, outboxOf('Employee', Employee.rowKey)),
    Invoice: declareOutbox(Invoice, outboxOf('Invoice', Invoice.rowKey)),
  }
  return { Department, managers, outboxes }
}

type HistoryOutboxOptions = OutboxOptions<Values, HistoryMessage>

/** A program of a history: a version of the model, and what it declares. */
export type Program = ReturnType<typeof declareProgram>

/**
 * What all programs of a history declare. Where they declare everything, nearly every write matters to a keeper, which hides what another
 * keeper overlooks.
 */
export type Extent = 'all' | 'messages' | 'indexes' | 'eventual' | 'summaries'

/** How a program is declared. */
export interface ProgramParts {
  readonly extent: Extent
  /** Returns a whole number from 0 to below its argument. */
  readonly random: (below: number) => number
  /** The messages of the history that is played, where the extent has them. */
  readonly messages: () => ProgramMessages
}

/** Declares a random program. */
export function declareProgram({ extent, random, messages }: ProgramParts) {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item
  const hasVersions = extent === 'all' || extent === 'messages'
  const readsNext = random(2) === 0
  const first = defineFirst(readsNext)
  const isSecond = random(2) === 0 && hasVersions
  const versioned = isSecond ? defineSecond(first) : first
  const Employee = (hasVersions ? versioned : definePlain()) as ReturnType<typeof defineFirst>
  const Invoice = defineInvoice()
  const [near, only, far, sum] = [pick(NEAR), pick(UNIQUE), pick(FAR), pick(SUMMARIES)]
  // Another program may have the beginning of one index under the name of the other.
  const [one, two] = random(6) === 0 ? [only, near] : [near, only]
  const declared = { one: one.definition, two: two.definition }
  const has = (own: Extent): boolean => [own, 'all', 'messages'].includes(extent)
  const indexes = has('indexes') ? declareIndexes(Employee, declared as never) : undefined
  const beginning = pick([
    key`w_${'email'}_${'id:6'}`,
    key`v_${'email'}_${'id:6'}`,
    key`x_${'email'}_${'id:6'}`,
  ])
  const billing: IndexDefinition<Values> = { rowKey: beginning }
  const billed = declareIndexes(Invoice, { one: billing } as never)
  const followed = { announce: async () => {} }
  const eventual = has('eventual')
    ? declareEventualIndexes(Employee, { far: far.definition } as never, followed)
    : undefined
  const summaries = has('summaries') ? declareSummaries(Employee, { all: sum } as never) : undefined
  const Staff = union(Employee, Invoice)
  const readsLater = isSecond || readsNext
  const messaging = extent === 'messages' ? declareMessages(Employee, Invoice, messages) : undefined
  return {
    Employee,
    Invoice,
    Staff,
    indexes,
    billing,
    billed,
    eventual,
    summaries,
    choices: { one, two },
    far,
    sum,
    messaging,
    /** The version of the model. */
    version: isSecond ? 2 : 1,
    /** Returns an employee as this program reads the row; `undefined` when it cannot read it. */
    read: (row: DynamicEntity) => readEmployee(row, isSecond, readsLater),
  }
}

/** Reads a row as the codecs of both versions do, but by other code. */
function readEmployee(
  row: DynamicEntity,
  isSecond: boolean,
  readsLater: boolean,
): Values | undefined {
  const version = Number(row.get('Version')?.value ?? 1)
  if (version > 1 && !readsLater) return undefined
  const stored = row.get('lastName')?.value as string | undefined
  return {
    department: row.partitionKey,
    id: Number(row.rowKey.slice(-6)),
    lastName: stored && lastNameFor(stored, version > 1, isSecond),
    email: row.get('mail')?.value as string | undefined,
    age: row.get('age')?.value as number | undefined,
  }
}

function lastNameFor(stored: string, isStoredBySecond: boolean, isSecond: boolean): string {
  if (isStoredBySecond === isSecond) return stored
  return isSecond ? `N${stored}` : stored.slice(1)
}
