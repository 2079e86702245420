import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type * as official from '@azure/data-tables'
import type * as ours from '@rowkey/data-tables'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** What callers see of a class: private members make two classes different whatever they do. */
type Face<Class> = Pick<Class, keyof Class>

/** Fails to compile unless each can be passed where the other is expected. */
function interchangeable<One, Other>(
  ..._proof: [One] extends [Other]
    ? [Other] extends [One]
      ? []
      : ['not the other way']
    : ['not this way']
): void {}

/** The names that a module exports, types too. */
function exportsOf(file: string): string[] {
  const options = { module: ts.ModuleKind.NodeNext, noLib: true, types: [] }
  const program = ts.createProgram([file], {
    ...options,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const symbol = source && checker.getSymbolAtLocation(source)
  return symbol === undefined ? [] : checker.getExportsOfModule(symbol).map(({ name }) => name)
}

it('every name of the official client is there', () => {
  const main = createRequire(import.meta.url).resolve('@azure/data-tables')
  const theirs = exportsOf(main.replace(/\.js$/, '.d.ts'))
  expect(theirs).toHaveLength(72)
  const names = exportsOf(
    fileURLToPath(import.meta.resolve('../../packages/data-tables/src/index.ts')),
  )
  expect(theirs.filter((name) => !names.includes(name))).toEqual([])
})

it('the comparison finds a difference', () => {
  // @ts-expect-error One has a member more.
  interchangeable<{ a: 1; b: 2 }, { a: 1 }>()
  // @ts-expect-error The modules are not of type any.
  interchangeable<ours.TableClient, 5>()
  // @ts-expect-error The modules are not of type any.
  interchangeable<official.TableClient, 5>()
})

it('each class can take the place of the official one, and the other way round', () => {
  interchangeable<Face<ours.TableClient>, Face<official.TableClient>>()
  interchangeable<Face<ours.TableServiceClient>, Face<official.TableServiceClient>>()
  interchangeable<ours.TableTransaction, official.TableTransaction>()
  interchangeable<Face<ours.AzureNamedKeyCredential>, Face<official.AzureNamedKeyCredential>>()
  interchangeable<Face<ours.AzureSASCredential>, Face<official.AzureSASCredential>>()
  interchangeable<ours.RestError, official.RestError>()
})

it('no constructor takes options in the place of a credential', () => {
  const wrong = [
    // @ts-expect-error The first options take the place of a credential.
    () => new ours.TableClient('u', 't', {}, {}),
    // @ts-expect-error The first options take the place of a credential.
    (client: typeof official.TableClient) => new client('u', 't', {}, {}),
    // @ts-expect-error The first options take the place of a credential.
    () => new ours.TableServiceClient('u', {}, {}),
    // @ts-expect-error The first options take the place of a credential.
    (client: typeof official.TableServiceClient) => new client('u', {}, {}),
  ]
  expect(wrong).toHaveLength(4)
})

it('entities are the same', () => {
  interchangeable<ours.TableEntity, official.TableEntity>()
  interchangeable<ours.TableEntity<{ n: number }>, official.TableEntity<{ n: number }>>()
  interchangeable<
    ours.TableEntityResult<{ n: number }>,
    official.TableEntityResult<{ n: number }>
  >()
  interchangeable<ours.TableEntityResultPage<object>, official.TableEntityResultPage<object>>()
  interchangeable<
    ours.GetTableEntityResponse<{ n: number }>,
    official.GetTableEntityResponse<{ n: number }>
  >()
  interchangeable<ours.Edm<'Int64'>, official.Edm<'Int64'>>()
  interchangeable<ours.Edm<'Double'>, official.Edm<'Double'>>()
  interchangeable<ours.EdmTypes, official.EdmTypes>()
})

it('options are the same', () => {
  interchangeable<ours.AccountSasOptions, official.AccountSasOptions>()
  interchangeable<ours.AccountSasPermissions, official.AccountSasPermissions>()
  interchangeable<ours.AccountSasServices, official.AccountSasServices>()
  interchangeable<ours.DeleteTableEntityOptions, official.DeleteTableEntityOptions>()
  interchangeable<ours.GetTableEntityOptions, official.GetTableEntityOptions>()
  interchangeable<ours.ListTableEntitiesOptions, official.ListTableEntitiesOptions>()
  interchangeable<ours.ListTableItemsOptions, official.ListTableItemsOptions>()
  interchangeable<ours.SasIPRange, official.SasIPRange>()
  interchangeable<ours.SasProtocol, official.SasProtocol>()
  interchangeable<ours.SetPropertiesOptions, official.SetPropertiesOptions>()
  interchangeable<ours.TableEntityQueryOptions, official.TableEntityQueryOptions>()
  interchangeable<ours.TableQueryOptions, official.TableQueryOptions>()
  interchangeable<ours.TableSasPermissions, official.TableSasPermissions>()
  interchangeable<ours.TableSasSignatureValues, official.TableSasSignatureValues>()
  interchangeable<ours.TableServiceClientOptions, official.TableServiceClientOptions>()
  interchangeable<ours.UpdateMode, official.UpdateMode>()
  interchangeable<ours.UpdateTableEntityOptions, official.UpdateTableEntityOptions>()
  interchangeable<ours.NamedKeyCredential, official.NamedKeyCredential>()
})

it('results and actions are the same', () => {
  interchangeable<ours.AccessPolicy, official.AccessPolicy>()
  interchangeable<ours.CreateDeleteEntityAction, official.CreateDeleteEntityAction>()
  interchangeable<ours.CreateTableEntityResponse, official.CreateTableEntityResponse>()
  interchangeable<ours.CorsRule, official.CorsRule>()
  interchangeable<ours.DeleteTableEntityResponse, official.DeleteTableEntityResponse>()
  interchangeable<ours.GeoReplication, official.GeoReplication>()
  interchangeable<ours.GeoReplicationStatusType, official.GeoReplicationStatusType>()
  interchangeable<ours.GetAccessPolicyResponse, official.GetAccessPolicyResponse>()
  interchangeable<ours.GetPropertiesResponse, official.GetPropertiesResponse>()
  interchangeable<ours.GetStatisticsResponse, official.GetStatisticsResponse>()
  interchangeable<ours.Logging, official.Logging>()
  interchangeable<ours.Metrics, official.Metrics>()
  interchangeable<ours.RetentionPolicy, official.RetentionPolicy>()
  interchangeable<ours.ServiceGetPropertiesHeaders, official.ServiceGetPropertiesHeaders>()
  interchangeable<ours.ServiceGetStatisticsHeaders, official.ServiceGetStatisticsHeaders>()
  interchangeable<ours.ServiceProperties, official.ServiceProperties>()
  interchangeable<ours.ServiceSetPropertiesHeaders, official.ServiceSetPropertiesHeaders>()
  interchangeable<ours.SetAccessPolicyResponse, official.SetAccessPolicyResponse>()
  interchangeable<ours.SetPropertiesResponse, official.SetPropertiesResponse>()
  interchangeable<ours.SignedIdentifier, official.SignedIdentifier>()
  interchangeable<ours.TableCreateHeaders, official.TableCreateHeaders>()
  interchangeable<ours.TableDeleteEntityHeaders, official.TableDeleteEntityHeaders>()
  interchangeable<ours.TableDeleteHeaders, official.TableDeleteHeaders>()
  interchangeable<ours.TableGetAccessPolicyHeaders, official.TableGetAccessPolicyHeaders>()
  interchangeable<ours.TableInsertEntityHeaders, official.TableInsertEntityHeaders>()
  interchangeable<ours.TableItem, official.TableItem>()
  interchangeable<ours.TableItemResultPage, official.TableItemResultPage>()
  interchangeable<ours.TableMergeEntityHeaders, official.TableMergeEntityHeaders>()
  interchangeable<ours.TableQueryResponse, official.TableQueryResponse>()
  interchangeable<ours.TableServiceStats, official.TableServiceStats>()
  interchangeable<ours.TableSetAccessPolicyHeaders, official.TableSetAccessPolicyHeaders>()
  interchangeable<ours.TableTransactionEntityResponse, official.TableTransactionEntityResponse>()
  interchangeable<ours.TableTransactionResponse, official.TableTransactionResponse>()
  interchangeable<ours.TableUpdateEntityHeaders, official.TableUpdateEntityHeaders>()
  interchangeable<ours.TransactionAction, official.TransactionAction>()
  interchangeable<ours.UpdateEntityAction, official.UpdateEntityAction>()
  interchangeable<ours.UpdateEntityResponse, official.UpdateEntityResponse>()
  interchangeable<ours.UpsertEntityResponse, official.UpsertEntityResponse>()
})

it('functions take and return the same', () => {
  interchangeable<typeof ours.generateTableSas, typeof official.generateTableSas>()
  interchangeable<typeof ours.generateAccountSas, typeof official.generateAccountSas>()
  interchangeable<typeof ours.odata, typeof official.odata>()
})

it("the official client's programs compile", () => {
  const actions: ours.TransactionAction[] = [['create', { partitionKey: 'p', rowKey: 'r', x: 1 }]]
  const same: official.TransactionAction[] = actions
  expect(same).toHaveLength(1)
})
