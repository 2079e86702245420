import type { SASCredential } from '@azure/core-auth'
import type * as official from '@azure/data-tables'

/** What callers see of a class, without its private members. */
export type Face<Class> = Pick<Class, keyof Class>
type ClientOptions = official.TableServiceClientOptions

/** The two packages as one program sees them: only the import differs. Neither needs a cast. */
export interface DataTables {
  readonly TableClient: {
    new (
      url: string,
      table: string,
      credential: SASCredential,
      options?: ClientOptions,
    ): Face<official.TableClient>
    new (url: string, table: string, options?: ClientOptions): Face<official.TableClient>
    fromConnectionString(
      text: string,
      table: string,
      options: ClientOptions,
    ): Face<official.TableClient>
  }
  readonly TableServiceClient: {
    new (
      url: string,
      credential: SASCredential,
      options: ClientOptions,
    ): Face<official.TableServiceClient>
    new (url: string, options?: ClientOptions): Face<official.TableServiceClient>
    fromConnectionString(text: string, options: ClientOptions): Face<official.TableServiceClient>
  }
  readonly TableTransaction: new () => official.TableTransaction
  readonly AzureNamedKeyCredential: new (
    name: string,
    key: string,
  ) => Face<official.AzureNamedKeyCredential>
  readonly AzureSASCredential: new (signature: string) => Face<official.AzureSASCredential>
  readonly odata: typeof official.odata
  readonly generateTableSas: typeof official.generateTableSas
  readonly generateAccountSas: typeof official.generateAccountSas
}
