import { everything, Order, Person } from '@app/models'
import { connect, Operation } from 'rowkey'

export const account = connect('memory:')
export const people = account.table(Person)
export const orders = account.table(Order)
export const mixed = account.table('store', everything)
export const untyped = account.table('people')
export const ofOrders = mixed.ofType(Order)
export const inTeam = people.query().where({ team: 'a' })
export const mails = inTeam.select('mail')
export const totals = orders.query().where({ customer: 'a' }).select('total', 'no')
export const inTeams = people.query().inPartitions(['a', 'b'])
export const plan = inTeam.explain()
export const page = inTeam.page({ size: 10 })
export const pages = inTeam.byPage()
export const labels = inTeam.resolve((team, id) => `${team}/${id}`)
export const batch = people.batch().insert(new Person())
export const results = batch.submit()
export const bulk = people.bulk({ concurrency: 4 })
export const insert = Operation.insert(new Person())
export const executed = people.execute(insert)
export const policies = people.accessPolicies
export const names = account.tables()

export function repository(team: string) {
  return {
    people,
    find: (id: string) => people.find([team, id]),
    all: () => people.query().where({ team }).toArray(),
    change: (id: string) => people.modify([team, id], (person) => void person),
  }
}
