const { TestEnvironment } = require('jest-environment-node')
const { startLocalService } = require('@rowkey/local')

/** Gives each test file a service of its own over HTTP, with its address in TABLES before the file is loaded. */
module.exports = class TablesEnvironment extends TestEnvironment {
  async setup() {
    await super.setup()
    this.service = await startLocalService({ port: 0 })
    this.global.process.env.TABLES = this.service.connectionString
  }

  async teardown() {
    await this.service?.close()
    await super.teardown()
  }
}
