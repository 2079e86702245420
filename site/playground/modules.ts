/** What a program in the playground can import. */
import * as dataTables from '@rowkey/data-tables'
import * as local from '@rowkey/local'
import * as mapper from '@rowkey/mapper'
import * as clientsOfMapper from '@rowkey/mapper/other-clients'
import * as odata from '@rowkey/odata'
import * as patterns from '@rowkey/patterns'
import * as query from '@rowkey/query'
import * as rest from '@rowkey/rest'
import * as testingOfRest from '@rowkey/rest/testing'
import * as rowkey from 'rowkey'
import * as encryption from 'rowkey/encryption'
import * as otherClients from 'rowkey/other-clients'
import * as testing from 'rowkey/testing'
import * as zod from 'zod'

export const modules: Readonly<Record<string, object>> = {
  rowkey,
  'rowkey/embedded': {},
  'rowkey/encryption': encryption,
  'rowkey/other-clients': otherClients,
  'rowkey/testing': testing,
  '@rowkey/data-tables': dataTables,
  '@rowkey/local': local,
  '@rowkey/mapper': mapper,
  '@rowkey/mapper/other-clients': clientsOfMapper,
  '@rowkey/odata': odata,
  '@rowkey/patterns': patterns,
  '@rowkey/query': query,
  '@rowkey/rest': rest,
  '@rowkey/rest/testing': testingOfRest,
  zod,
}
