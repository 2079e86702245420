import type { Account } from '@rowkey/mapper'
import { declareOutbox, tableQueue, worker } from '@rowkey/patterns'
import { defineEmployee, office } from '../employees.ts'

/** A message about a name. */
export interface Renamed {
  readonly id: number
  readonly was: string | undefined
  readonly is: string | undefined
}

/** A program whose employees announce changes of their names through an outbox. */
export function program(account: Account) {
  const work = worker({
    queue: (used) => tableQueue(used, 'jobs', { table: 'queues' }),
    deadLetters: (used) => tableQueue(used, 'dead', { table: 'queues' }),
  })
  const Employee = defineEmployee()
  const outbox = declareOutbox(Employee, {
    messages: ({ before, after }): readonly Renamed[] => {
      if (before?.lastName === after?.lastName) return []
      return [{ id: (after ?? before)?.id ?? 0, was: before?.lastName, is: after?.lastName }]
    },
    handle: async (message) => void heard.push(message),
    worker: work,
  })
  const heard: Renamed[] = []
  const jobs = work.on(account)
  return { Employee, employees: account.table(Employee), outbox, jobs, heard }
}

/** A worker of another crew. */
export const crewWorker = () =>
  worker({
    queue: (used) => tableQueue(used, 'crewjobs', { table: 'queues' }),
    deadLetters: (used) => tableQueue(used, 'crewdead', { table: 'queues' }),
  })

/** The program, with empty tables. */
export async function started() {
  const opened = office()
  const made = program(opened.account)
  await made.employees.create()
  await opened.account.createTable('queues')
  opened.sent.length = 0
  return { opened, ...opened, ...made }
}
