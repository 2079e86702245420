import { Account, defineEntity, key } from '@rowkey/mapper'
import {
  declareCopies,
  declareIndexes,
  declareOutbox,
  declareSummaries,
  tableQueue,
  worker,
} from '@rowkey/patterns'
import type { TableService } from '@rowkey/rest'
import { z } from 'zod'

/** The departments, and how many employees each can have. */
export const DEPARTMENTS = ['Admin', 'Sales']
const EMPLOYEES = 4
const VALUES = 5

const employee = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({
      department: z.string(),
      id: z.int(),
      lastName: z.string().optional(),
      email: z.string().optional(),
    }),
  })

const department = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`department`,
    schema: z.object({
      department: z.string(),
      managerId: z.int().optional(),
      managerName: z.string().optional(),
    }),
  })

/** A program of the version that declares every pattern. */
export type Program = ReturnType<typeof openProgram>

/** Opens a program: indexes here and elsewhere, an outbox, copies and a count, all of one model. */
export function openProgram(service: TableService) {
  const account = new Account(service)
  const Employee = employee()
  const Department = department()
  const handled: string[] = []
  const mail = async (message: string) => void handled.push(message)
  const work = worker({
    queue: () => tableQueue(account, 'jobs', { table: 'queues' }),
    deadLetters: () => tableQueue(account, 'dead', { table: 'queues' }),
    attempts: 50,
  })
  const jobs = work.on(account)
  const indexes = declareIndexes(
    Employee,
    {
      email: { rowKey: key`${'email'}`, unique: true },
      lastName: { rowKey: key`${'lastName'}_${'id:6'}` },
      everywhere: {
        partitionKey: key`${'lastName'}`,
        rowKey: key`${'department'}_${'id:6'}`,
        table: 'lookups',
      },
    },
    { worker: work },
  )
  const outbox = declareOutbox(Employee, {
    messages: ({ before, after }) => (before?.email === after?.email ? [] : [after?.email ?? '']),
    handle: mail,
    worker: work,
  })
  const summaries = declareSummaries(Employee, { staff: { rowKey: key`all` } })
  const managers = declareCopies(Employee, Department, {
    fields: { managerName: 'lastName' },
    source: ({ department: name, managerId: id }) =>
      id === undefined ? undefined : { department: name, id },
    holders: ({ department: name }) => [{ department: name }],
  })
  return {
    account,
    employees: account.table(Employee),
    departments: account.table(Department),
    indexed: indexes.on(account),
    counts: summaries.on(account),
    outbox,
    managers,
    jobs,
  }
}

/** A random write of employees, as any version of the program makes it. */
export async function writeStaff(
  employees: Program['employees'],
  random: (below: number) => number,
): Promise<void> {
  const name = () => String.fromCharCode(97 + random(VALUES))
  const target = { department: DEPARTMENTS[random(2)] ?? '', id: 1 + random(EMPLOYEES) }
  const one = {
    ...target,
    ...(random(4) > 0 && { lastName: name() }),
    ...(random(4) > 0 && { email: `${name()}@x` }),
  }
  const acts = [
    () => employees.insert(one),
    () => employees.insertOrReplace(one),
    () => employees.insertOrMerge(one),
    () => employees.merge(one, { etag: '*' }),
    () => employees.deleteIfExists(target, { etag: '*' }),
    () => employees.modify(target, (stored) => void Object.assign(stored, one)),
  ]
  await acts[random(acts.length)]?.()
}

/** A random step of a program of the new version: a write, a change of a manager, the work of a worker, or a repair. */
export async function step(program: Program, random: (below: number) => number): Promise<void> {
  const kind = random(11)
  if (kind === 10) return repair(program, random)
  if (kind < 6) return writeStaff(program.employees, random)
  if (kind < 8) return void (await program.jobs.runOnce())
  const name = DEPARTMENTS[random(2)] ?? ''
  if (kind === 8) return void (await program.indexed.refresh({ department: name }))
  const one = { department: name, managerId: 1 + random(EMPLOYEES) }
  await program.departments.insertOrReplace(await program.managers.on(program.account).fill(one))
}

/** Repairs indexes beside the other programs that do so at the moment. */
async function repair(program: Program, random: (below: number) => number): Promise<void> {
  const only = random(2) === 0 ? (['email', 'lastName'] as const) : (['everywhere'] as const)
  await program.indexed.repair({ only })
}

/** Opens the table as a program of the old version does, which declares nothing. */
export function openOldProgram(service: TableService): Program['employees'] {
  return new Account(service).table(employee())
}
