import type { HttpMethod, SharedKeyScheme } from '@rowkey/rest'

/** The moment of every vector: `Tue, 21 Sep 2021 01:06:13 GMT`. */
export const SIGNED_AT: number = Date.UTC(2021, 8, 21, 1, 6, 13)
export const SIGNED_DATE = 'Tue, 21 Sep 2021 01:06:13 GMT'

interface SignatureVector {
  readonly title: string
  readonly scheme: SharedKeyScheme
  readonly account: string
  readonly method: HttpMethod
  readonly path: string
  readonly query: string
  readonly contentType?: string
  readonly text: string
  readonly signature: string
}

/**
 * Signatures under the emulator's well-known key. All but the host-style one were accepted by a
 * running emulator.
 */
export const signatures: readonly SignatureVector[] = [
  {
    title: 'Lite, path style, which has the account twice',
    scheme: 'SharedKeyLite',
    account: 'devstoreaccount1',
    method: 'GET',
    path: '/devstoreaccount1/Tables',
    query: '',
    text: `${SIGNED_DATE}\n/devstoreaccount1/devstoreaccount1/Tables`,
    signature: '5zuZtulEoqxVyxJ7BwK7Z9QVjTvG0p98qkQeW045DDE=',
  },
  {
    title: 'full, with a Content-Type',
    scheme: 'SharedKey',
    account: 'devstoreaccount1',
    method: 'POST',
    path: '/devstoreaccount1/Tables',
    query: '',
    contentType: 'application/json',
    text: `POST\n\napplication/json\n${SIGNED_DATE}\n/devstoreaccount1/devstoreaccount1/Tables`,
    signature: 'o9/sBQ+NEPrPRDz0wm6XkcM7Uht08U+L9Rno+vQdKtE=',
  },
  {
    title: 'full, without a Content-Type, and a query that is not signed',
    scheme: 'SharedKey',
    account: 'devstoreaccount1',
    method: 'GET',
    path: "/devstoreaccount1/MyTable(PartitionKey='p',RowKey='r')",
    query: '$select=x',
    text: `GET\n\n\n${SIGNED_DATE}\n/devstoreaccount1/devstoreaccount1/MyTable(PartitionKey='p',RowKey='r')`,
    signature: 'RFdy7SPWcx+MACQMlCUgvdZC8R+k0dsPzmOyr/Nox5U=',
  },
  {
    title: 'Lite, with comp, the one parameter that is signed',
    scheme: 'SharedKeyLite',
    account: 'devstoreaccount1',
    method: 'GET',
    path: '/devstoreaccount1/MyTable',
    query: 'comp=acl&timeout=10',
    text: `${SIGNED_DATE}\n/devstoreaccount1/devstoreaccount1/MyTable?comp=acl`,
    signature: 'wYnW7tstlk8OJV/etUk8Piy0Aoh2xRmTVN5kwP6VED4=',
  },
  {
    title: 'Lite, host style, which has the account once',
    scheme: 'SharedKeyLite',
    account: 'myaccount',
    method: 'GET',
    path: '/Tables',
    query: '',
    text: `${SIGNED_DATE}\n/myaccount/Tables`,
    signature: 'eB/R5XQq3I9vyiZQ+9fufYpgZODO/AwbidX5af5iQdM=',
  },
]
