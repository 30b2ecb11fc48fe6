package practiceapi.junit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Passes a separate {@link PracticeSandbox} to each test, and the shared {@link PracticeService}. The service starts once
 * for a test run, on a free port.
 */
public final class PracticeApiExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(PracticeApiExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == PracticeService.class || type == PracticeSandbox.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    PracticeService service = service(context);
    if (parameter.getParameter().getType() == PracticeService.class) return service;
    // A store also searches its parents, which may have the sandbox of a method for all tests.
    String name = "sandbox " + context.getUniqueId();
    return resource(context.getStore(NAMESPACE), name, service::sandbox);
  }

  private static PracticeService service(ExtensionContext context) {
    return resource(context.getRoot().getStore(NAMESPACE), "service", PracticeService::start);
  }

  private interface Factory<T> {
    T create();
  }

  /** Returns the value in a store, creating it if necessary; the store closes it at the end. */
  private static <T extends AutoCloseable> T resource(Store store, String name, Factory<T> factory) {
    @SuppressWarnings("unchecked")
    Resource<T> resource =
        (Resource<T>) store.getOrComputeIfAbsent(name, ignored -> new Resource<>(factory.create()));
    return resource.value();
  }

  private record Resource<T extends AutoCloseable>(T value) implements Store.CloseableResource {
    @Override
    public void close() throws Exception {
      value.close();
    }
  }
}
