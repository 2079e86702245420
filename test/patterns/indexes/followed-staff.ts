import { localTableService } from '@rowkey/local'
import { Account, key } from '@rowkey/mapper'
import { declareIndexes, tableQueue, type Work, worker } from '@rowkey/patterns'
import { noRetry, type RetryPolicy, type Transport, tableService } from '@rowkey/rest'
import { defineEmployee } from '../employees.ts'
import { mortal } from '../mortal-programs.ts'

/** A worker whose queues lie in a table. */
export function workerIn(table: string): Work<object> {
  return worker({
    queue: (account) => tableQueue(account, 'jobs', { table }),
    deadLetters: (account) => tableQueue(account, 'dead', { table }),
  })
}

/** A program that declares an index by email in another table, and one by last name in other partitions. */
export function program(account: Account) {
  const Employee = defineEmployee()
  const work = workerIn('queues')
  const indexes = declareIndexes(
    Employee,
    {
      email: {
        partitionKey: key`${'email'}`,
        rowKey: key`${'department'}_${'id:6'}`,
        table: 'lookups',
      },
      lastName: {
        partitionKey: key`names_${'lastName'}`,
        rowKey: key`${'department'}_${'id:6'}`,
        project: ['firstName'],
      },
    },
    { worker: work },
  )
  const employees = account.table(Employee)
  const indexed = indexes.on(account)
  return { account, Employee, employees, indexes, indexed, jobs: work.on(account) }
}

/** A service in this process, and programs that use it. */
export function building() {
  const { transport, connectionString } = localTableService()
  const clock = { now: 1_000_000 }
  let ids = 0
  const open = (through: Transport, retry: RetryPolicy = noRetry) =>
    new Account(
      tableService({
        connectionString: connectionString(),
        transport: through,
        retry,
        now: () => clock.now,
        random: () => 0.5,
        newId: () => `id${String(++ids).padStart(8, '0')}`,
        sleep: async (ms) => {
          clock.now += ms
        },
      }),
    )
  /** Opens the account of a program that ends before or after one of its requests. */
  const openDying = (at: number, dies: 'before' | 'after') => {
    const { step } = mortal(at, dies)
    return open((request, limits) => step(() => transport(request, limits)))
  }
  return { transport, clock, open, openDying }
}

/** A building whose tables exist and whose indexes are built, with one program. */
export async function staffed() {
  const made = building()
  const { open, transport } = made
  const main = program(open(transport))
  await main.employees.create()
  await main.account.createTable('lookups')
  await main.account.createTable('queues')
  await main.indexed.state('email')
  return { ...made, main }
}
