import { describe, expect, it } from 'vitest';
import { work } from '../../../../../test/support/work.ts';
import type { Asked, Reading } from '../../facts.ts';
import { codeReaders } from './index.ts';

const asked: Asked = { hosts: [], schemes: ['postgresql', 'mysql'], modules: ['firebase/auth'], resources: [] };

function readingOf(path: string, text: string): Reading {
  const own = codeReaders.filter((reader) => reader.takes(path));
  expect(own).toHaveLength(1);
  return own[0]?.read({ path, text }, asked) as Reading;
}

/** `NAME`, or `NAME: engine by package, role`. */
const variablesIn = (path: string, text: string): string[] =>
  (readingOf(path, text).variables ?? []).map(({ name, opens }) =>
    opens ? `${name}: ${opens.engine} by ${opens.by}${opens.role ? `, ${opens.role}` : ''}` : name,
  );
const routesIn = (path: string, text: string): string[] =>
  (readingOf(path, text).routes ?? []).map(({ methods, path: own }) => `${methods.join(',') || '*'} ${own}`);

describe('the variables of a language', () => {
  it.each([
    ['a.py', 'import os\nos.environ["API_KEY"]\nos.environ.get("API_URL", "")\nos.getenv("API_NAME")', ['API_KEY', 'API_URL', 'API_NAME']],
    [
      'a.py',
      'from decouple import config\nconfig("API_KEY")\nenv.str("API_URL")\nenv.bool("API_FLAG", default=False)',
      ['API_KEY', 'API_URL', 'API_FLAG'],
    ],
    [
      'app/config.py',
      'class Settings(BaseSettings):\n    model_config = SettingsConfigDict(env_prefix="SHOP_")\n\n    api_key: SecretStr\n    database_url: PostgresDsn\n    sender: str = Field("x", validation_alias="MAIL_FROM")\n\nclass Other:\n    name: str\n',
      ['SHOP_API_KEY', 'SHOP_DATABASE_URL: postgres by pydantic', 'MAIL_FROM'],
    ],
    [
      'bot/settings.py',
      'class Base(\n    BaseSettings,\n    env_file=".env",\n):\n    debug_hook: str\n\n\nclass Store(Base, env_prefix="redis_"):\n    host: str\n    password: str = Field(\n        default="",\n        alias="STORE_PASSWORD",\n    )\n\n    def url(self) -> str:\n        wrong: str = ""\n',
      ['DEBUG_HOOK', 'REDIS_HOST', 'STORE_PASSWORD'],
    ],
    [
      'core/config.py',
      'from .base import ShopBaseSettings\nclass Mail(ShopBaseSettings):\n\tclass Config:\n\t\tenv_prefix = "MAIL_"\n\tapi_key: str = Field(validation_alias=AliasChoices("API_KEY", "OLD_API_KEY"))\n\tsender: str\nclass Plain:\n\tname: str\n',
      ['API_KEY', 'OLD_API_KEY', 'MAIL_SENDER'],
    ],
    [
      'shop/settings.py',
      'A = get_string(name="API_KEY", default="")\nB = get_bool("API_FLAG", False)\nC = read(key="API_URL")',
      ['API_KEY', 'API_FLAG', 'API_URL'],
    ],
    ['app.py', 'a = st.secrets["API_KEY"]\nb = st.secrets["stripe"]["key"]\nc = st.secrets.API_URL', ['API_KEY', 'STRIPE_KEY', 'API_URL']],
    [
      'start.py',
      'NEEDED = [\n    "API_KEY",\n    "API_URL",\n]\nfor one in NEEDED:\n    if one not in os.environ:\n        raise SystemExit\nfor key in ("API_NAME",):\n    os.environ[key]\nfor word in ("OTHER_WORD",):\n    print(word)\nSHOP_REF = "SHOP_REF"\n',
      ['API_NAME', 'API_KEY', 'API_URL', 'SHOP_REF'],
    ],
    ['a.py', '"""Set os.environ["OLD_KEY"]."""\n# os.environ["OLD_KEY"]\nx = "os.getenv(\'OLD_KEY\')"', []],
    ['a.py', 'SQL = """select 1"""\nkey = os.environ["API_KEY"]', ['API_KEY']],
    ['config/app.rb', "ENV['API_KEY']; ENV.fetch('API_URL') { 'x' } # ENV['OLD_KEY']", ['API_KEY', 'API_URL']],
    ['a.rb', '=begin\nENV["OLD_KEY"]\n=end\nkey = ENV["API_KEY"] || "#{x}"', ['API_KEY']],
    ['config/settings.rb', 'class Settings < Hanami::Settings\n  setting :api_key, constructor: Types::String\nend', ['API_KEY']],
    ['a.rb', 'Figaro.env.api_key!', ['API_KEY']],
    [
      'main.go',
      'os.Getenv("API_KEY"); os.LookupEnv("API_URL"); getEnv("API_NAME", "x"); viper.GetString("API_FLAG")',
      ['API_KEY', 'API_URL', 'API_NAME', 'API_FLAG'],
    ],
    [
      'config.go',
      'type Config struct {\n\tKey string `env:"API_KEY,required"`\n\tURL string `envconfig:"API_URL"`\n}\n// os.Getenv("OLD_KEY")',
      ['API_KEY', 'API_URL'],
    ],
    [
      'main.rs',
      'std::env::var("API_KEY")?; env!("API_URL"); dotenvy::var("API_NAME"); /* env::var("OLD_KEY") */',
      ['API_KEY', 'API_URL', 'API_NAME'],
    ],
    ['cli.rs', 'struct A<\'a> {\n    #[arg(long, env = "API_KEY")]\n    key: &\'a str,\n}', ['API_KEY']],
    [
      'config/services.php',
      "['key' => env('API_KEY'), 'url' => getenv('API_URL'), 'name' => $_ENV['API_NAME']] # env('OLD_KEY')",
      ['API_KEY', 'API_URL', 'API_NAME'],
    ],
    ['A.java', '@Value("${API_KEY:none}") String key; System.getenv("API_URL"); // System.getenv("OLD_KEY")', ['API_KEY', 'API_URL']],
    ['A.kt', 'val a = System.getenv("API_KEY")\n@Value("\\${API_URL}") val b: String', ['API_KEY', 'API_URL']],
    ['A.cs', 'Environment.GetEnvironmentVariable("API_KEY"); builder.Configuration["API_URL"];', ['API_KEY', 'API_URL']],
    [
      'config/runtime.exs',
      'System.get_env("API_KEY") || raise "x"\nSystem.fetch_env!("API_URL")\n# System.get_env("OLD_KEY")',
      ['API_KEY', 'API_URL'],
    ],
    ['lib/a.ex', '@moduledoc """\n  Set System.get_env("OLD_KEY").\n"""\ndef a, do: System.get_env("API_KEY")', ['API_KEY']],
    ['lib/a.dart', "String.fromEnvironment('API_KEY'); dotenv.env['API_URL']", ['API_KEY', 'API_URL']],
    ['A.swift', 'ProcessInfo.processInfo.environment["API_KEY"]; Environment.get("API_URL")', ['API_KEY', 'API_URL']],
  ])('%s: %s', (path, text, names) => expect(variablesIn(path, text)).toEqual(names));
});

it('knows the names of a new app of Laravel in its own files', () => {
  const { variables = [] } = readingOf('config/services.php', "[env('POSTMARK_TOKEN'), env('TURNSTILE_SECRET_KEY'), env('STRIPE_SECRET')]");
  expect(variables.filter((one) => one.isSkeleton).map(({ name }) => name)).toEqual(['POSTMARK_TOKEN', 'STRIPE_SECRET']);
});

it.each([
  ['config/a.rb', 'Rails.application.credentials.dig(:stripe, :secret_key)', ['credentials.stripe.secret_key']],
  [
    'app/a.rb',
    'Rails.application.credentials.mail![:api_key]; Rails.application.credentials[:SHOP_HOOK]',
    ['credentials.mail.api_key', 'credentials.shop_hook'],
  ],
  ['lib/a.rb', 'Settings.mail.token # Settings.old.token\nuser.credentials.mail.token', ['credentials.mail.token']],
])('%s keeps credentials: %s', (path, text, names) => {
  expect((readingOf(path, text).facts ?? []).map(({ kind, name }) => (kind === 'setting' ? name : kind))).toEqual(names);
});

describe('the database that code of a language opens', () => {
  it.each([
    [
      'a.py',
      'import os\nown = os.environ["SHOP_NAME"]\nengine = create_engine(f"postgresql://{own}:x@db/shop")',
      ['SHOP_NAME: postgres by sqlalchemy, part'],
    ],
    ['a.py', 'URL = os.environ["SHOP_URL"]\nengine = create_engine(URL)  # postgresql+psycopg', ['SHOP_URL: null by sqlalchemy']],
    [
      'a.py',
      'from x import y\ncreate_async_engine(os.environ["SHOP_URL"].replace("postgres://", "postgresql+asyncpg://"))',
      ['SHOP_URL: postgres by sqlalchemy'],
    ],
    ['settings.py', "DATABASES = {'default': dj_database_url.config(conn_max_age=600)}", ['DATABASE_URL: null by django']],
    ['settings.py', "DATABASES = {'default': env.db('SHOP_URL')}", ['SHOP_URL: null by django']],
    [
      'settings.py',
      "DATABASES = {\n  'default': {\n    'ENGINE': 'django.db.backends.postgresql',\n    'HOST': os.environ['SHOP_HOST'],\n    'PASSWORD': os.environ['SHOP_PASSWORD'],\n  }\n}",
      ['SHOP_HOST: postgres by django, part', 'SHOP_PASSWORD: postgres by django, part'],
    ],
    ['a.py', 'r = redis.from_url(os.getenv("CACHE_URL"))', ['CACHE_URL: redis by redis']],
    ['a.py', 'client = AsyncIOMotorClient(host=os.getenv("SHOP_URL"))', ['SHOP_URL: mongodb by pymongo, part']],
    ['a.rb', "$redis = Redis.new(url: ENV['CACHE_URL'])", ['CACHE_URL: redis by redis']],
    ['main.go', 'dsn := os.Getenv("SHOP_URL")\ndb, err := sql.Open("postgres", dsn)', ['SHOP_URL: postgres by database/sql']],
    ['main.go', 'gorm.Open(mysql.Open(os.Getenv("SHOP_URL")), &gorm.Config{})', ['SHOP_URL: mysql by gorm.io/gorm']],
    ['main.go', 'pool, err := pgxpool.New(ctx, os.Getenv("SHOP_URL"))', ['SHOP_URL: postgres by github.com/jackc/pgx']],
    ['main.rs', 'let url = env::var("SHOP_URL")?;\nlet pool = PgPool::connect(&url).await?;', ['SHOP_URL: postgres by sqlx']],
    ['main.rs', 'let db = Database::connect(env::var("SHOP_URL").unwrap()).await?; // mysql', ['SHOP_URL: null by sea-orm']],
    [
      'config/database.php',
      "'pgsql' => ['driver' => 'pgsql', 'url' => env('DB_URL'), 'host' => env('DB_HOST', '127.0.0.1')]",
      ['DB_URL: postgres by laravel', 'DB_HOST: postgres by laravel, part'],
    ],
    [
      'Program.cs',
      'options.UseNpgsql(builder.Configuration.GetConnectionString("Shop"))',
      ['ConnectionStrings__Shop: postgres by ConnectionStrings'],
    ],
    [
      'config/runtime.exs',
      'database_url =\n  System.get_env("SHOP_URL") ||\n    raise "x"\n\nconfig :shop, Shop.Repo,\n  # ssl: true,\n  url: database_url,\n  pool_size: 10',
      ['SHOP_URL: null by ecto_sql'],
    ],
    ['A.java', 'DriverManager.getConnection(System.getenv("SHOP_URL")); // postgresql', ['SHOP_URL: null by jdbc']],
  ])('%s: %s', (path, text, names) => expect(variablesIn(path, text)).toEqual(names));
});

describe('the routes of a framework', () => {
  it.each([
    ['app.rb', 'require "sinatra"\n\npost "/stripe/events" do\n  halt 200\nend', ['POST /stripe/events']],
    [
      'app.py',
      "@app.route('/stripe/webhook', methods=['POST'])\ndef hook(): pass\n@app.post('/mail')\ndef mail(): pass",
      ['POST /stripe/webhook', 'POST /mail'],
    ],
    ['api.py', 'router = APIRouter(prefix="/hooks")\n@router.post("/stripe/{id}")\nasync def hook(): pass', ['POST /hooks/stripe/:id']],
    [
      'urls.py',
      "urlpatterns = [path('webhooks/stripe/', views.stripe_webhook), path('api/', include('api.urls'))]",
      ['* /webhooks/stripe/'],
    ],
    [
      'config/routes.rb',
      "Rails.application.routes.draw do\n  namespace :api do\n    scope '/v1' do\n      post 'stripe/webhook', to: 'stripe#hook'\n    end\n  end\n  mount StripeEvent::Engine, at: '/stripe/events'\n  get '/about', to: 'pages#about'\nend",
      ['POST /api/v1/stripe/webhook', '* /stripe/events', 'GET /about'],
    ],
    [
      'main.go',
      'r.Post("/hooks/stripe", h)\nmux.HandleFunc("POST /mail/{id}", h)\nr.HandleFunc("/x", h).Methods("POST", "PUT")',
      ['POST /hooks/stripe', 'POST /mail/:id', 'POST,PUT /x'],
    ],
    [
      'main.rs',
      'Router::new().route("/hooks/stripe", post(hook)).route("/x/{id}", get(x));\n#[post("/mail")]\nasync fn mail() {}',
      ['POST /hooks/stripe', 'GET /x/:id', 'POST /mail'],
    ],
    ['routes/api.php', "Route::post('/stripe/webhook', [Hook::class, 'handle']);", ['POST /api/stripe/webhook']],
    ['routes/web.php', "Route::middleware('web')->post('stripe/{id}', Hook::class);", ['POST /stripe/:id']],
    [
      'A.java',
      '@RestController\n@RequestMapping("/api")\npublic class A {\n  @PostMapping("/stripe/webhook")\n  void a() {}\n  @GetMapping\n  void b() {}\n}',
      ['POST /api/stripe/webhook', 'GET /api'],
    ],
    ['Program.cs', 'app.MapPost("/hooks/stripe", h);', ['POST /hooks/stripe']],
    [
      'StripeController.cs',
      '[Route("api/[controller]")]\npublic class StripeController {\n  [HttpPost("webhook")]\n  public void A() {}\n}',
      ['POST /api/stripe/webhook'],
    ],
    [
      'lib/shop_web/router.ex',
      'defmodule ShopWeb.Router do\n  scope "/hooks", ShopWeb do\n    pipe_through :api\n    post "/stripe", HookController, :stripe\n  end\nend',
      ['POST /hooks/stripe'],
    ],
  ])('%s: %s', (path, text, routes) => expect(routesIn(path, text)).toEqual(routes));

  it('are those of a plug before the router, too', () => {
    const text = 'plug Stripe.WebhookPlug,\n  at: "/old"\nplug Stripe.WebhookPlug, at: "/hooks/stripe", handler: A';
    expect(routesIn('lib/endpoint.ex', text)).toEqual(['POST /old', 'POST /hooks/stripe']);
  });

  it('are said to check a signature where the function that they name does', () => {
    const text =
      'let app = Router::new().route("/billing/events", post(billing::events)).route("/mail", post(mail));\nasync fn events(a: A) {\n  pay::Webhook::construct_event(&a, headers["pay-signature"]);\n}\n';
    expect(readingOf('main.rs', text).routes?.map(({ words }) => [words.includes('signature'), words.includes('pay')])).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('are said to check a signature where their handler does', () => {
    const text =
      '@app.post("/hooks/stripe")\ndef hook():\n  stripe.Webhook.construct_event(a, b, c)\n\n@app.post("/mail")\ndef mail(): pass';
    expect(readingOf('app.py', text).routes?.map(({ words }) => words.includes('signature'))).toEqual([true, false]);
  });
});

describe('schedules', () => {
  it.each([
    ['src/jobs.ts', "import cron from 'node-cron'\ncron.schedule('* * * * *', run)"],
    ['src/jobs.service.ts', "import { Cron } from '@nestjs/schedule'\nclass A { @Cron('0 0 * * *') run() {} }"],
    ['convex/crons.ts', "import { cronJobs } from 'convex/server'\nconst crons = cronJobs()"],
    ['celery.py', 'app.conf.beat_schedule = {}'],
    ['config/schedule.rb', "every 1.day, at: '4:30 am' do\n  runner 'A'\nend"],
    ['main.go', 'import "x"\nc := cron.New()'],
    ['routes/console.php', "Schedule::command('a')->daily();"],
    ['A.java', '@Scheduled(cron = "0 0 * * * *")\nvoid run() {}'],
    ['config/config.exs', 'config :shop, Oban, plugins: [{Oban.Plugins.Cron, crontab: [{"@daily", A}]}]'],
  ])('are found in %s', (path, text) => expect(readingOf(path, text).schedules?.length).toBeGreaterThan(0));

  it.each([
    ['src/jobs.ts', "import { cron } from './own'\ncron.schedule('* * * * *', run)"],
    ['src/jobs.test.ts', "import cron from 'node-cron'\ncron.schedule('* * * * *', run)"],
    ['celery.py', '# app.conf.beat_schedule = {}\nimport x'],
  ])('are not found in %s', (path, text) => expect(readingOf(path, text).schedules ?? []).toEqual([]));
});

it('a client of a provider takes an address and then a key', () => {
  const text = 'import os\nfrom supabase import create_client\nsb = create_client(os.environ["SB_URL"], os.environ["SB_KEY"])';
  expect(readingOf('app.py', text).variables?.map(({ name, givenTo, givenAs }) => [name, givenTo, givenAs])).toEqual([
    ['SB_URL', 'supabase', 'address'],
    ['SB_KEY', 'supabase', 'key'],
  ]);
  const other = 'import clickhouse_connect\nclickhouse_connect.create_client(os.environ["CH_URL"])';
  expect(readingOf('app.py', other).variables?.map(({ givenTo }) => givenTo)).toEqual([undefined]);
});

it('a module of a package is a fact where a signal names it', () => {
  const text = "import { getAuth } from 'firebase/auth'\nimport { getDoc } from 'firebase/firestore'\nexport const a = 1";
  expect(readingOf('src/a.ts', text).facts).toMatchObject([{ kind: 'module', name: 'firebase/auth', line: 1 }]);
});

it('a database that code opens is a fact of its scheme', () => {
  const text = "import postgres from 'postgres'\n\nexport const db = postgres(process.env.SHOP_URL!)";
  expect(readingOf('src/a.ts', text).facts).toMatchObject([{ kind: 'scheme', name: 'postgresql', line: 3, use: 'runtime' }]);
  expect(readingOf('main.go', 'sql.Open("mysql", os.Getenv("SHOP_URL"))').facts).toMatchObject([{ kind: 'scheme', name: 'mysql' }]);
  expect(readingOf('a.py', 'create_engine(os.environ["SHOP_URL"])').facts).toEqual([]);
});

it('every language is read in time that grows with the length of the file, not with its square', async () => {
  const pieces = [
    '"',
    "'",
    '/*',
    '#',
    '"""',
    'env("',
    'class A(BaseSettings):\n    a: str\n',
    '@app.post("/',
    'namespace :a do\n',
    'Route::',
    '@PostMapping(',
    '${A',
    '[Http',
    'env:"',
    '  end\n',
    'A.B',
  ];
  for (const path of ['a.py', 'config/routes.rb', 'a.go', 'a.rs', 'routes/a.php', 'A.java', 'A.cs', 'lib/router.ex', 'a.dart', 'a.swift']) {
    for (const piece of pieces) {
      const text = `Router environ env Env\n${piece.repeat(Math.ceil(100_000 / piece.length))}\n`;
      expect(await work(() => readingOf(path, text)), `${piece} in ${path}`).toBeLessThan(3_000);
    }
  }
});
