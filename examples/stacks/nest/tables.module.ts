import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common'
import { Account, connect, type Table } from 'rowkey'

/** A mapped class. */
type EntityClass<T extends object = object> = new () => T

/** Injects the table of a class that {@link TablesModule.forFeature} has opened. */
export const InjectTable = (type: EntityClass): ParameterDecorator => Inject(tokenOf(type))

const tokenOf = ({ name }: EntityClass): string => `Table<${name}>`

/** Opens one account for the application, and closes it when the application ends. */
@Global()
@Module({})
export class TablesModule implements OnApplicationShutdown {
  constructor(private readonly account: Account) {}

  /** For the root module: the account, injected as `Account`. */
  static forRoot(target: string): DynamicModule {
    const account = { provide: Account, useFactory: () => connect(target) }
    return { module: TablesModule, providers: [account], exports: [Account] }
  }

  /** For a module with entities: their tables, which are created when they are missing. */
  static forFeature(...types: readonly EntityClass[]): DynamicModule {
    const tables = types.map((type) => ({
      provide: tokenOf(type),
      inject: [Account],
      useFactory: async (account: Account): Promise<Table<object>> => {
        const table = account.table(type)
        await table.createIfNotExists()
        return table
      },
    }))
    return { module: TableFeature, providers: tables, exports: tables }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.account.close({ drain: true })
  }
}

@Module({})
class TableFeature {}
