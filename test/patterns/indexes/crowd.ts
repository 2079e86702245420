import { localTableService } from '@rowkey/local'
import { Account, key } from '@rowkey/mapper'
import { declareIndexes, UniqueValueError } from '@rowkey/patterns'
import { noRetry, type Transport, tableService } from '@rowkey/rest'
import { defineEmployee, randomOf } from '../employees.ts'

/** Programs that write the same few rows, whose requests interleave and whose responses get lost. */
export interface Crowd {
  readonly random: (below: number) => number
  /** An account without faults. */
  readonly plain: Account
  readonly indexes: ReturnType<typeof declareStaffIndexes>['indexes']
  /** Opens the account of a program, with faults. */
  open(): Account
  /** Opens the account of a program that dies after some requests. */
  openDying(requests: number): Account
  /** Does one random write; its error is the program's own business. */
  act(account: Account): Promise<void>
  /** Races for a value: updates the unique value of one row, and tells how that ended. */
  race(account: Account): Promise<'stored' | 'taken' | 'failed'>
}

function declareStaffIndexes() {
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, {
    email: { rowKey: key`${'email'}`, unique: true },
    lastName: { rowKey: key`${'lastName'}_${'id:6'}`, project: ['firstName'] },
  })
  return { Employee, indexes }
}

/** How many rows a crowd writes, and how many values they share. */
interface CrowdSize {
  readonly rows: number
  readonly values: number
}

/** Makes a crowd that does the same for the same seed. */
export function crowd(seed: number, { rows, values }: CrowdSize = { rows: 3, values: 4 }): Crowd {
  const random = randomOf(seed)
  const { transport, connectionString } = localTableService()
  const faulty: Transport = async (request, limits) => {
    for (let turns = random(4); turns > 0; turns--) await Promise.resolve()
    if (random(40) === 0) throw new Error('lost request')
    const response = await transport(request, limits)
    if (random(40) === 0) throw new Error('lost response')
    return response
  }
  const { Employee, indexes } = declareStaffIndexes()
  // Waits take no time, and move the clock of all programs.
  let now = Date.now()
  const options = {
    connectionString: connectionString(),
    retry: noRetry,
    now: () => now,
    random: () => 0.5,
    sleep: async (ms: number) => {
      now += ms
    },
  }
  const open = (through: Transport) => new Account(tableService({ ...options, transport: through }))
  const name = () => String.fromCharCode(97 + random(values))
  const employee = () => ({
    department: 'Sales',
    id: 1 + random(rows),
    firstName: name(),
    ...(random(4) > 0 && { lastName: name() }),
    ...(random(4) > 0 && { email: `${name()}@x` }),
  })
  const many = async (account: Account) => {
    const writer = account.table(Employee).bulk({ buffer: 10 + random(90) })
    const entities = Array.from({ length: 20 + random(30) }, employee)
    switch (random(4)) {
      case 0:
        return writer.merge(entities, { etag: '*' })
      case 1:
        return writer.delete(entities, { etag: '*' })
      case 2:
        return writer.insertOrMerge(entities)
      default:
        return writer.insertOrReplace(entities)
    }
  }
  const act = async (account: Account) => {
    const table = account.table(Employee)
    const one = employee()
    const target = { department: 'Sales', id: one.id }
    const acts: readonly (() => Promise<unknown>)[] = [
      () => table.insert(one),
      () => table.insertOrReplace(one),
      () => table.insertOrMerge(one),
      () => table.merge(one, { etag: '*' }),
      () => table.replace(one, { etag: '*' }),
      () => table.deleteIfExists(target, { etag: '*' }),
      () => table.modify(target, (stored) => void Object.assign(stored, one)),
      () => table.batch().insertOrReplace(one).submit(),
      () => many(account),
    ]
    await acts[random(acts.length)]?.().catch(() => undefined)
  }
  const race = async (account: Account) => {
    const one = { department: 'Sales', id: 1 + random(rows), firstName: 'A', email: `${name()}@x` }
    try {
      await account.table(Employee).merge(one, { etag: '*' })
      return 'stored'
    } catch (error) {
      return error instanceof UniqueValueError ? 'taken' : 'failed'
    }
  }
  const dying = (requests: number): Transport => {
    let left = requests
    return (request, limits) =>
      left-- > 0 ? faulty(request, limits) : Promise.reject(new Error('the program has ended'))
  }
  return {
    random,
    act,
    race,
    indexes,
    plain: open(transport),
    open: () => open(faulty),
    openDying: (requests) => open(dying(requests)),
  }
}
