import { parseDateTime } from 'rowkey'
import { Employee } from './entities.ts'

type Person = Pick<Employee, 'department' | 'employeeId' | 'firstName' | 'lastName' | 'age'>

/** Makes an employee and fills in the other properties. */
export function employee(person: Person): Employee {
  const number = BigInt(person.employeeId)
  return Object.assign(new Employee(), person, {
    email: `${person.firstName}${person.lastName[0]}@contoso.com`.toLowerCase(),
    badge: 9_007_199_254_740_992n + number,
    rating: 4,
    manager: person.age > 45,
    hired: parseDateTime('2014-08-22T00:50:30.1234567Z'),
    accessCard: `c9da6455-213d-42c9-9a79-3e91${person.employeeId.padStart(8, '0')}`,
    fingerprint: Uint8Array.of(0x0a, 0x0b, Number(number % 256n)),
  })
}

/** The department of the guide to table design. */
export const marketing: readonly Employee[] = [
  { department: 'Marketing', employeeId: '00001', firstName: 'Don', lastName: 'Hall', age: 34 },
  { department: 'Marketing', employeeId: '00002', firstName: 'Jun', lastName: 'Cao', age: 47 },
].map(employee)

const FIRST_NAMES = ['Ken', 'Jeff', 'Ben', 'Walter', 'Lisa', 'David']
const LAST_NAMES = ['Kwok', 'Smith', 'Jones', 'Harp', 'Alexander']

/** A department of 1,300 people: more than one page of a query. */
export const sales: readonly Employee[] = Array.from({ length: 1300 }, (_, index) =>
  employee({
    department: 'Sales',
    employeeId: String(10 + index).padStart(5, '0'),
    firstName: FIRST_NAMES[index % FIRST_NAMES.length] ?? '',
    lastName: LAST_NAMES[index % LAST_NAMES.length] ?? '',
    age: 23 + (index % 40),
  }),
)
