import type { Table } from 'rowkey'
import { ofTenant, type Task } from './task.ts'

const HOUR = 60 * 60_000

/** The tasks of one tenant. The tenant is a part of every call, so no call can forget it. */
export class TenantTasks {
  readonly #tasks: Table<Task>
  readonly #tenant: string

  constructor(tasks: Table<Task>, tenant: string) {
    this.#tasks = tasks
    this.#tenant = tenant
  }

  async add(project: string, id: number, title: string): Promise<void> {
    await this.#tasks.insert({ tenant: this.#tenant, project, id, title })
  }

  /** The tasks of one project, or of all projects. */
  list(project?: string): Promise<Task[]> {
    const tasks = this.#tasks.query().where({ tenant: this.#tenant })
    return (project === undefined ? tasks : tasks.where({ project })).toArray()
  }

  /** Lets the tenant read its own rows without the server, for an hour. */
  readToken(): string {
    const first = ofTenant.prefix({ tenant: this.#tenant })
    const { token } = this.#tasks.sas({
      permissions: 'r',
      expiry: new Date(Date.now() + HOUR),
      from: { partitionKey: first },
      to: { partitionKey: `${first}\uffff` },
    })
    return token
  }

  /** Deletes everything that the tenant stored. */
  async remove(): Promise<number> {
    const { done } = await this.#tasks.query().where({ tenant: this.#tenant }).deleteAll()
    return done
  }
}
