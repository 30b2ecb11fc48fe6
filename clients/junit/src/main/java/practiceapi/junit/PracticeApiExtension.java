package practiceapi.junit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Passes a {@link PracticeSandbox} of their own to tests, and the {@link PracticeService} that they share. The service
 * starts once for a run, on a free port.
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
    // Stores also look into those of their parents, which may have one of a method for all tests.
    String name = "sandbox " + context.getUniqueId();
    return resource(context.getStore(NAMESPACE), name, service::sandbox);
  }

  private static PracticeService service(ExtensionContext context) {
    return resource(context.getRoot().getStore(NAMESPACE), "service", PracticeService::start);
  }

  private interface Maker<T> {
    T make();
  }

  /** Keeps a value in a store, which closes it at the end. */
  private static <T extends AutoCloseable> T resource(Store store, String name, Maker<T> maker) {
    @SuppressWarnings("unchecked")
    Resource<T> resource =
        (Resource<T>) store.getOrComputeIfAbsent(name, ignored -> new Resource<>(maker.make()));
    return resource.value();
  }

  private record Resource<T extends AutoCloseable>(T value) implements Store.CloseableResource {
    @Override
    public void close() throws Exception {
      value.close();
    }
  }
}
