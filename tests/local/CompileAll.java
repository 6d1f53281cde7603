import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import javax.tools.ToolProvider;

/** Compiles FOLDER/NAME/{old,new} into OUT/NAME/{old,new}; what does not compile, as the language is too new, is left out. */
public class CompileAll {
    public static void main(String[] args) throws Exception {
        var javac = ToolProvider.getSystemJavaCompiler();
        var files = javac.getStandardFileManager(null, null, null);
        for (File folder : new TreeSet<>(List.of(new File(args[0]).listFiles()))) {
            for (String version : List.of("old", "new")) {
                Path out = Path.of(args[1], folder.getName(), version);
                Files.createDirectories(out);
                List<File> sources = new ArrayList<>();
                try (var all = Files.walk(folder.toPath().resolve(version))) {
                    all.map(Path::toFile)
                            .filter(f -> f.getPath().endsWith(".java") && !f.getPath().contains("/test/"))
                            .filter(f -> !f.getName().equals("module-info.java"))
                            .forEach(sources::add);
                }
                if (!sources.isEmpty()) {
                    var options = List.of("-g", "-nowarn", "-proc:none", "-d", out.toString());
                    var units = files.getJavaFileObjectsFromFiles(sources);
                    javac.getTask(new java.io.StringWriter(), files, null, options, null, units).call();
                }
            }
        }
    }
}
